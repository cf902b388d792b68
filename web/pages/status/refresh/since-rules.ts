/** What happened since the member was here. Pure. */
import type { Member } from '../../../../contract/schemas.ts';
import { describeMove } from '../position/move-chip.tsx';

export type Standing = Pick<
  Member,
  'position' | 'referral_count' | 'pending_referrals' | 'held_referrals'
>;

/**
 * "Since you were here: 2 friends joined, 41 places up." Both numbers are differences between what
 * the page showed then and shows now. Empty without one, and for a browser that knows no position.
 */
export function describeSince(then: Partial<Standing> | null, now: Standing): string {
  if (then?.position === undefined || then.referral_count === undefined) return '';
  const friends = countJoined(now) - countJoined(then);
  const places = then.position - now.position;
  const facts = [
    ...(friends > 0 ? [friends === 1 ? '1 friend joined' : `${friends} friends joined`] : []),
    ...(places === 0 ? [] : [describeMove(places)]),
  ];
  if (facts.length === 0) return '';
  // With no friend fewer only others can be the reason.
  const isPassed = places < 0 && now.referral_count >= then.referral_count;
  return `Since you were here: ${facts.join(', ')}${isPassed ? ', as others moved ahead' : ''}.`;
}

/** Whether they count yet or not. */
function countJoined({
  referral_count: count = 0,
  pending_referrals: pending = 0,
  held_referrals: held = 0,
}: Partial<Standing>): number {
  return count + pending + held;
}
