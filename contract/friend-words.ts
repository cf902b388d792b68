import type { Member } from './schemas.ts';

export type Friends = Pick<
  Member,
  'referral_count' | 'pending_referrals' | 'confirmed_referrals' | 'held_referrals'
>;

export function describeFriends(friends: Friends): string {
  const { referral_count: count, pending_referrals: pending, held_referrals: held } = friends;
  const joined = countJoined(friends);
  const confirmed = friends.confirmed_referrals ?? count;
  if (joined === count && confirmed === count && !held) return '';
  if (joined === 0) return `Up to ${held} friends are being checked`;
  return (
    `${countFriends(joined)} joined` +
    (confirmed === count ? '' : `, ${confirmed} confirmed`) +
    (pending ? `, ${pending} still to confirm` : '') +
    (held ? `, up to ${held} more being checked` : '')
  );
}

/** How credits settle; empty when every friend has confirmed. `day`: of the freeze, if public. */
export function describeSettling(
  { referral_count: count, confirmed_referrals: confirmed = count }: Friends,
  day: string | null,
): string {
  if (confirmed === count) return '';
  const on = day === null ? '' : ` on ${day}`;
  return (
    `Only confirmed friends count when the line freezes${on}. ` +
    'They confirm by the link in their mail.'
  );
}

/** "Tue, Nov 24" */
export function writeDay(at: Date, language: string, timeZone?: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat(language, { ...day, timeZone }).format(at);
}

export function countJoined({
  referral_count: count = 0,
  pending_referrals: pending = 0,
}: Partial<Friends>): number {
  return count + pending;
}

export function countFriends(count: number): string {
  return count === 1 ? '1 friend' : `${count} friends`;
}
