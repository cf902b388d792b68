import type { Member } from '../../../contract/schemas.ts';

/**
 * What friends do for a member, and what an invite does for them. Hides the numbers of
 * docs/behaviour.md 1. The tests compare it with server/line/line-rules.ts.
 */
export function shareReason(
  member: Pick<Member, 'position' | 'referral_count'>,
): readonly [string, string] {
  return [moveOf(member), 'They start ahead of everyone without an invite.'];
}

function moveOf(member: Pick<Member, 'position' | 'referral_count'>): string {
  if (member.position === 1) return 'Every friend puts you further ahead of the second.';
  return member.referral_count === 0
    ? 'One friend puts you ahead of everyone who brought none.'
    : 'One more friend puts you ahead of everyone who brought as many.';
}
