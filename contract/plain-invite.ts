export const PLAIN_INVITE_PAGES = [
  'plain-invite',
  'plain-invite-invalid',
  'plain-invite-unverified',
] as const;
export type PlainInvitePageName = (typeof PLAIN_INVITE_PAGES)[number];

export const PLAIN_INVITE_PLACES = ['inviter', 'invite-code'] as const;
export type PlainInvitePlace = (typeof PLAIN_INVITE_PLACES)[number];

export const FORM_PLACES = ['form-message', 'form-value', 'referral', 'home'] as const;
