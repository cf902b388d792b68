/**
 * The status page for browsers without script and for those too old for ours. The build renders one
 * template per outcome; the server fills in the `<!--name-->` placeholders.
 */
export const PLAIN_STATUS_PAGES = [
  'plain-status',
  'plain-status-not-found',
  'plain-status-failed',
] as const;
export type PlainStatusPageName = (typeof PLAIN_STATUS_PAGES)[number];

/**
 * `digits`: how many characters the position has. `next-reward` and `unlocked` are sentences, or
 * empty; those of the drop are empty while none is under way.
 */
export const PLAIN_STATUS_PLACES = [
  'position',
  'digits',
  'invite-link',
  'code',
  'tier',
  'referrals',
  'referral-noun',
  'next-reward',
  'unlocked',
  'drop-number',
  'drop-title',
  'drop-text',
] as const;
export type PlainStatusPlace = (typeof PLAIN_STATUS_PLACES)[number];
