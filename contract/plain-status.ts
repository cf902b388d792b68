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
  'drop-text',
  'inviter-form',
  'inviter-message',
  'inviter-value',
] as const;
export type PlainStatusPlace = (typeof PLAIN_STATUS_PLACES)[number];

/** A member this close behind the last mask reads how many places are left. */
const NEAR_PLACES = 50;
const FIRST_FEW = 10;

/** Below the position, with script and without, while nothing of the drop says otherwise. */
export function openLineNote(
  { maskCount }: { readonly maskCount: number },
  position = Number.POSITIVE_INFINITY,
): string {
  const gets = 'early shop access and a chance at limited masks';
  const places = position - maskCount;
  if (places > NEAR_PLACES) return `The top ${maskCount} get ${gets}.`;
  if (places > 0) {
    const count = places === 1 ? '1 place' : `${places} places`;
    return `${count} to the top ${maskCount}, who get ${gets}.`;
  }
  const few = position === 1 ? 'Nobody is ahead of you' : `One of the first ${FIRST_FEW}`;
  const place = position <= FIRST_FEW ? few : `In the top ${maskCount}`;
  return `${place}: ${gets}, if you stay ahead.`;
}
