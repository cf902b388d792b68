import type { Member } from '../../../../contract/schemas.ts';

type Friends = Pick<Member, 'referral_count' | 'pending_referrals'>;

/** Friends who joined but have yet to confirm, where credit waits for that. */
export function PendingFriends({ member }: { member: Friends }) {
  return member.pending_referrals ? (
    <p className="quiet pending-friends">{describePending(member)}</p>
  ) : null;
}

export function describePending({
  referral_count: count,
  pending_referrals: pending = 0,
}: Friends): string {
  return `${count + pending} joined, ${pending} still to confirm`;
}
