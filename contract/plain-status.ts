/** One template per outcome, for browsers without script; the server fills in `<!--name-->`. */
export const PLAIN_STATUS_PAGES = [
  'plain-status',
  'plain-status-not-found',
  'plain-status-failed',
] as const;
export type PlainStatusPageName = (typeof PLAIN_STATUS_PAGES)[number];

/** `digits` counts the characters of the position. `inviter-form` is "open" or empty. */
export const PLAIN_STATUS_PLACES = [
  'position',
  'digits',
  'position-note',
  'invite-link',
  'code',
  'tier',
  'referrals',
  'referral-noun',
  'next-reward',
  'unlocked',
  'friends',
  'drop-number',
  'drop-title',
  'drop-text',
  'drop-hash',
  'inviter-form',
  'inviter-message',
  'inviter-value',
] as const;
export type PlainStatusPlace = (typeof PLAIN_STATUS_PLACES)[number];

export function openLineNote({ maskCount }: { readonly maskCount: number }): string {
  return `The top ${maskCount} get early shop access and a chance at limited masks.`;
}
