export const PLAIN_INVITE_PAGES = [
  'plain-invite',
  'plain-invite-invalid',
  'plain-invite-unverified',
] as const;
export type PlainInvitePageName = (typeof PLAIN_INVITE_PAGES)[number];

export const PLAIN_INVITE_PLACES = ['inviter', 'invite-code'] as const;
export type PlainInvitePlace = (typeof PLAIN_INVITE_PLACES)[number];

/** Of a referral on the landing page. */
export const UNKNOWN_CODE = 'We do not know this invite code. You can join without it.';

export const FORM_PLACES = ['form-message', 'form-value', 'referral', 'home'] as const;
