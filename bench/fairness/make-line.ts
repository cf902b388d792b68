/** The visits of a whole line, honest and not, in the order of their time. */
import { mailboxOf, readEmail } from '../../server/mail/email-rules.ts';
import * as attacks from './attacks.ts';
import * as honest from './honest-groups.ts';
import { DAY, type KnownVisit, type MakeVisits } from './visit.ts';

/** Seeds that the weights may be tuned on; figures are of other seeds. */
export const TUNED_ON = ['tune-1', 'tune-2', 'tune-3'];

export type Groups = Readonly<Record<string, readonly [make: MakeVisits, count: number]>>;

const GROUPS: Groups = {
  strangers: [honest.strangers, 1],
  office: [honest.office, 4],
  family: [honest.family, 20],
  campus: [honest.campus, 1],
  carrier: [honest.carrier, 1],
  creator: [honest.creator, 1],
  'meet-up': [honest.meetUp, 2],
  mistyped: [honest.mistyped, 20],
  aliases: [attacks.aliases, 2],
  'catch-all': [attacks.catchAll, 2],
  disposable: [attacks.disposable, 2],
  'one-network': [attacks.oneNetwork, 2],
  'rotating-mobile': [attacks.rotatingMobile, 2],
  'slow-drip': [attacks.slowDrip, 2],
  'bought-clicks': [attacks.boughtClicks, 2],
  'ring-of-5': [attacks.ringOf5, 2],
  'ring-of-50': [attacks.ringOf50, 1],
  'honest-timing': [attacks.honestTiming, 2],
  'no-page': [attacks.noPage, 2],
  mixed: [attacks.mixed, 2],
  'coupon-site': [attacks.couponSite, 2],
  firm: [honest.firm, 2],
  numbers: [honest.numbers, 2],
  'second-mailbox': [attacks.secondMailbox, 1],
  numbered: [attacks.numbered, 1],
  unreachable: [attacks.unreachable, 1],
  'random-names': [attacks.randomNames, 1],
  'careful-home': [attacks.carefulHome, 1],
};

/**
 * Leaves out people whose mailbox happens to be that of somebody else, and people whose mistyped
 * address is not an address.
 */
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
    .filter(({ isHonest, email, person, referrer }) => {
      const mailbox = mailboxOf(email);
      if (readEmail(email) === null) return false;
      if (taken.has(email) || (isHonest && taken.has(mailbox))) return false;
      if (referrer !== null && !persons.has(referrer)) return false;
      taken.add(email).add(mailbox);
      persons.add(person);
      return true;
    });
}
