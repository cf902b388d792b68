import escapeHtml from 'escape-html';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPagePlace } from '../../../contract/mail-pages.ts';
import { landingWithReferral, pagePaths } from '../../../contract/paths.ts';
import {
  PLAIN_INVITE_PAGES,
  PLAIN_INVITE_PLACES,
  type PlainInvitePlace,
} from '../../../contract/plain-invite.ts';
import {
  PLAIN_STATUS_PAGES,
  PLAIN_STATUS_PLACES,
  type PlainStatusPlace,
} from '../../../contract/plain-status.ts';
import { readBuilt } from './assets.ts';

const PAGES = [
  'landing',
  'landing-referred',
  'status',
  'invite',
  'not-found',
  'draw',
  ...MAIL_PAGES,
  ...PLAIN_STATUS_PAGES,
  ...PLAIN_INVITE_PAGES,
] as const;
type PageName = (typeof PAGES)[number];

const PLACES: readonly string[] = [
  ...MAIL_PAGE_PLACES,
  ...PLAIN_STATUS_PLACES,
  ...PLAIN_INVITE_PLACES,
];
type Place = MailPagePlace | PlainStatusPlace | PlainInvitePlace;

export type Templates = Readonly<Record<PageName, string>>;

export type FormState = Readonly<Record<'message' | 'email' | 'referral', string>> & {
  readonly note?: string;
};

export const EMPTY_FORM: FormState = { message: '', email: '', referral: '' };

export async function readTemplates(siteDir: string): Promise<Templates> {
  const read = async (page: PageName) => String(await readBuilt(siteDir, `pages/${page}.html`));
  const entries = await Promise.all(PAGES.map(async (page) => [page, await read(page)]));
  return Object.fromEntries(entries) as Templates;
}

export function fillHead(template: string, head: string): string {
  return template.replace('<!--head-->', () => head);
}

export function fillForm(template: string, form: FormState): string {
  const { message, email, referral, note = '' } = form;
  // Autofocus scrolls to a refused form without script; other pages begin at their top.
  const page = message === '' ? template.replace(' autofocus=""', '') : template;
  const code = referral.toWellFormed();
  const home = code === '' ? pagePaths.landing : landingWithReferral(code);
  return page
    .replaceAll('<!--home-->', () => escapeHtml(home))
    .replace('<!--note-->', () => escapeHtml(note))
    .replace('<!--form-message-->', () => escapeHtml(message))
    .replace('<!--form-value-->', () => escapeHtml(email))
    .replace('<!--referral-->', () => escapeHtml(referral));
}

export function fillPlaces(
  template: string,
  values: Readonly<Partial<Record<Place, string>>>,
): string {
  const isPlace = (name: string): name is Place => PLACES.includes(name);
  return template.replace(/<!--([a-z-]+)-->/g, (marker, name: string) =>
    isPlace(name) ? escapeHtml(values[name] ?? '') : marker,
  );
}

export function fillChoices(template: string, html: string): string {
  return template.replace('<!--choices-->', () => html);
}

export function fillGhost(template: string, svg: string): string {
  return template.replace('<!--ghost-->', () => svg);
}
