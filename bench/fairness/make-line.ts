/** The visits of a whole line, honest and not, in the order of their time. */

import { mailboxOf, readEmail } from '../../server/mail/email-rules.ts';
import * as attacks from './attacks.ts';
import * as honest from './honest-groups.ts';
import * as single from './single-sign-attacks.ts';
import { DAY, type Kind, type MakeVisits, type Visit } from './visit.ts';

/** Seeds of lines that the weights may be chosen by; figures are of others. */
export const TUNED_ON = ['tune-1', 'tune-2', 'tune-3'];

/** How many groups of each kind a line has. */
export type Groups = readonly (readonly [MakeVisits, number])[];

const GROUPS: Groups = [
  [honest.strangers, 1],
  [honest.office, 4],
  [honest.family, 20],
  [honest.campus, 1],
  [honest.carrier, 1],
  [honest.creator, 1],
  [honest.meetUp, 2],
  [honest.mistyped, 20],
  [attacks.aliases, 2],
  [attacks.catchAll, 2],
  [attacks.disposable, 2],
  [attacks.oneNetwork, 2],
  [attacks.rotatingMobile, 2],
  [attacks.slowDrip, 2],
  [attacks.boughtClicks, 2],
  [attacks.ringOf5, 2],
  [attacks.ringOf50, 1],
  [attacks.honestTiming, 2],
  [attacks.noPage, 2],
  [attacks.mixed, 2],
  [attacks.couponSite, 2],
  [honest.firm, 2],
  [honest.numbers, 2],
  [single.secondMailbox, 1],
  [single.numbered, 1],
  [single.unreachable, 1],
  [single.randomNames, 1],
  [single.carefulHome, 1],
];

/**
 * Leaves out those whose mailbox happens to be somebody else's, and those whose mistyped address is
 * not an address.
 */
export function makeLine(seed: string, groups = GROUPS): Visit[] {
  const visits = groups
    .flatMap(([make, count], kind) =>
      Array.from({ length: count }, (_, group) =>
        make({
          seed: `${seed}-${kind}-${group}`,
          start: (((group + kind / 30) * 7 + 1) * DAY) % (20 * DAY),
        }),
      ).flat(),
    )
    .toSorted((a, b) => a.at - b.at);
  const taken = new Set<string>();
  const persons = new Set<string>();
  return visits.filter(({ isHonest, email, person, referrer }) => {
    const mailbox = mailboxOf(email);
    if (readEmail(email) === null) return false;
    if (taken.has(email) || (isHonest && taken.has(mailbox))) return false;
    if (referrer !== null && !persons.has(referrer)) return false;
    taken.add(email).add(mailbox);
    persons.add(person);
    return true;
  });
}

export type Verdict = {
  readonly visit: Visit;
  readonly isHeld: boolean;
  readonly rules: readonly string[];
};

export type Score = { readonly credits: number; readonly held: number };

/** By kind and label: how many credits there were, and how many of them are held. */
export function tally(verdicts: readonly Verdict[]): Map<`${Kind} ${'honest' | 'false'}`, Score> {
  const scores = new Map<`${Kind} ${'honest' | 'false'}`, Score>();
  for (const { visit, isHeld } of verdicts) {
    if (visit.referrer === null) continue;
    const key = `${visit.kind} ${visit.isHonest ? 'honest' : 'false'}` as const;
    const { credits, held } = scores.get(key) ?? { credits: 0, held: 0 };
    scores.set(key, { credits: credits + 1, held: held + Number(isHeld) });
  }
  return scores;
}
