import type { Member } from '../../../../contract/schemas.ts';

type Friends = Pick<Member, 'referral_count' | 'pending_referrals' | 'held_referrals'>;

/** Friends who joined and do not count yet. */
export function PendingFriends({ member }: { member: Friends }) {
  const text = describePending(member);
  return text && <p className="quiet pending-friends">{text}</p>;
}

/** Empty when all friends count. */
export function describePending({
  referral_count: count,
  pending_referrals: pending = 0,
  held_referrals: held = 0,
}: Friends): string {
  const joined = count + pending + held;
  return joined === count
    ? ''
    : `${joined === 1 ? '1 friend' : `${joined} friends`} joined` +
        (pending ? `, ${pending} still to confirm` : '') +
        (held ? `, ${held} being checked` : '');
}
