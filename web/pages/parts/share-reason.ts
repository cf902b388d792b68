import type { LineRule } from '../../../brand/brand-shape.ts';

const FRIENDS = 'They start ahead of everyone without an invite.';

/**
 * Hides the numbers of docs/behaviour.md 1. The tests compare it with server/line/line-rules.ts.
 */
export function shareReason({ name }: LineRule, friends: number): string {
  if (name === 'skip') return `Every friend moves you ahead by the same step. ${FRIENDS}`;
  if (name === 'fade') return `Friends move you ahead, the first ones furthest. ${FRIENDS}`;
  return friends === 0
    ? `One friend puts you ahead of everyone who brought none. ${FRIENDS}`
    : `One more friend puts you ahead of everyone who brought as many. ${FRIENDS}`;
}
