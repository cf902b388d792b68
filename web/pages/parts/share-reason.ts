import type { LineRule } from '../../../brand/brand-shape.ts';
import type { Member } from '../../../contract/schemas.ts';

/**
 * What friends do for a member, and what an invite does for them. Hides the numbers of
 * docs/behaviour.md 1. The tests compare it with server/line/line-rules.ts.
 */
export function shareReason(
  { name }: LineRule,
  { position, referral_count: friends }: Pick<Member, 'position' | 'referral_count'>,
): readonly [string, string] {
  return [moveOf(name, position, friends), 'They start ahead of everyone without an invite.'];
}

function moveOf(name: LineRule['name'], position: number, friends: number): string {
  if (position === 1) return 'Every friend puts you further ahead of the second.';
  if (name === 'skip') return 'Every friend moves you ahead by the same step.';
  if (name === 'fade') return 'Friends move you ahead, the first ones furthest.';
  return friends === 0
    ? 'One friend puts you ahead of everyone who brought none.'
    : 'One more friend puts you ahead of everyone who brought as many.';
}
