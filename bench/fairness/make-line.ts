import { readEmail } from '../../server/mail/email-rules.ts';
import { mailboxOf } from '../../server/mail/mailbox-rules.ts';
import { ATTACKS } from './attacks.ts';
import * as honest from './honest-groups.ts';
import { DAY, type KnownVisit, type MakeVisits, type World } from './visit.ts';

export type Groups = Readonly<Record<string, readonly [make: MakeVisits, count: number]>>;

const GROUPS: Groups = {
  strangers: [honest.strangers, 1],
  office: [honest.office, 2],
  family: [honest.family, 20],
  campus: [honest.campus, 1],
  carrier: [honest.carrier, 1],
  creator: [honest.creator, 1],
  'meet-up': [honest.meetUp, 1],
  mistyped: [honest.mistyped, 10],
  firm: [honest.firm, 1],
  numbers: [honest.numbers, 1],
  gym: [honest.gym, 1],
  'school class': [honest.schoolClass, 2],
  ...Object.fromEntries(
    Object.entries(ATTACKS).map(([kind, { friends, make }]) => [
      kind,
      [(world: World) => make(world, friends), 1],
    ]),
  ),
};

/** Leaves out people with the mailbox of somebody else, and mistyped addresses that are none. */
export function makeLine(seed: string, groups = GROUPS): KnownVisit[] {
  const visits = Object.entries(groups).flatMap(([kind, [make, count]], index) =>
    Array.from({ length: count }, (_, group) => {
      const start = (((group + index / 30) * 7 + 1) * DAY) % (20 * DAY);
      const own = make({ seed: `${seed}-${index}-${group}`, start });
      return own.map((visit) => ({ ...visit, kind }));
    }).flat(),
  );
  const taken = new Set<string>();
  const persons = new Set<string>();
  return visits
    .toSorted((a, b) => a.at - b.at)
    .filter(({ isHonest, email, person, referrer, isOfOther }) => {
      const mailbox = mailboxOf(email);
      if (readEmail(email) === null) return false;
      if (isOfOther) return true;
      if (taken.has(email) || (isHonest && taken.has(mailbox))) return false;
      if (referrer !== null && !persons.has(referrer)) return false;
      taken.add(email).add(mailbox);
      persons.add(person);
      return true;
    });
}
