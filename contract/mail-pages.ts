/** One template per state, without scripts; the server fills in `<!--name-->` placeholders. */

import { MAIL_STATES } from './member-states.ts';

export const MAIL_PAGES = [
  'confirm',
  'confirm-asked',
  'confirmed',
  'confirm-expired',
  ...MAIL_STATES.map((state) => `preferences-${state}` as const),
  ...MAIL_STATES.map((state) => `preferences-expired-${state}` as const),
  'leave',
  'leave-paid',
  'left',
  'left-paid',
  'reward-asked',
  'reward-answered',
  'reward-sent',
  'reward-expired',
  'offer-open',
  'offer-pass',
  'offer-elsewhere',
  'offer-expired',
  'link-unknown',
  'link-trouble',
] as const;
export type MailPageName = (typeof MAIL_PAGES)[number];

/** Placeholders for values that only the server has. `detail` says why a request was refused. */
export const MAIL_PAGE_PLACES = [
  'token',
  'email',
  'position',
  'member-id',
  'detail',
  'level',
  'reward',
  'size',
  'until',
] as const;
export type MailPagePlace = (typeof MAIL_PAGE_PLACES)[number];

export const MAIL_FIELD = 'mail';
