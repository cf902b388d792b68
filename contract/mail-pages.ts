/**
 * The pages that mails link to: built without a script, one template for each of their states, and filled in by the server at
 * `<!--place-->` markers.
 */

/** Why a member is written to or not: the last two are what mail servers reported. */
const MAIL_STATES = ['sending', 'stopped', 'bounced', 'complained'] as const;
export type MailState = (typeof MAIL_STATES)[number];

export const MAIL_PAGES = [
  'confirm',
  'confirmed',
  'confirm-expired',
  ...MAIL_STATES.map((state) => `preferences-${state}` as const),
  ...MAIL_STATES.map((state) => `preferences-expired-${state}` as const),
  'leave',
  'left',
  'link-unknown',
  'link-trouble',
] as const;
export type MailPageName = (typeof MAIL_PAGES)[number];

/** What stands in for text that only the server knows. `detail` is why a request was turned down. */
export const MAIL_PAGE_PLACES = ['token', 'email', 'position', 'member-id', 'detail'] as const;
export type MailPagePlace = (typeof MAIL_PAGE_PLACES)[number];

/** The field of the form that turns mail off and on: a `MailState` that a person may choose. */
export const MAIL_FIELD = 'mail';
