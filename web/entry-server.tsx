/** Prerenders each page in its first state, with markers for what the server fills in. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { ghostSvg } from '../brand/art/ghost.ts';
import { brand } from '../brand/brand.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES } from '../contract/mail-pages.ts';
import { fillPath, landingWithReferral, pagePaths } from '../contract/paths.ts';
import { FORM_PLACES, PLAIN_INVITE_PLACES, UNKNOWN_CODE } from '../contract/plain-invite.ts';
import { PLAIN_STATUS_PLACES } from '../contract/plain-status.ts';
import { App } from './app.tsx';
import { loadPage } from './page-modules.ts';
import drawStyles from './pages/draw/draw.css?inline';
import { DrawPage } from './pages/draw/draw-page.tsx';
import { plainInvitePages } from './pages/invite/plain-invite.tsx';
import mailStyles from './pages/mail/mail-pages.css?inline';
import { mailPage } from './pages/mail/mail-pages.tsx';
import { PLACEHOLDER } from './pages/parts/page-without-script.tsx';
import lateStyles from './pages/status/late.css?inline';
import plainStyles from './pages/status/plain-status.css?inline';
import { plainStatusPages } from './pages/status/plain-status.tsx';
import statusStyles from './pages/status/status.css?inline';
import { EMPTY_STATE } from './prerendered-state.ts';
import { type PageName, readRoute } from './route.ts';

export const { language } = brand;

const STAND_IN = '0000000000';

const STAND_IN_STATE = {
  ...EMPTY_STATE,
  formMessage: 'stand-in-form-message',
  formValue: 'stand-in-form-value',
  referral: 'stand-in-referral',
};

const paths: Readonly<Record<PageName, string>> = {
  landing: pagePaths.landing,
  status: fillPath(pagePaths.status, STAND_IN),
  invite: fillPath(pagePaths.invite, STAND_IN),
  'not-found': '/stand-in/not-found',
};

export async function renderPage(page: PageName, isReferred: boolean): Promise<string> {
  await loadPage(page, true);
  if (readRoute(paths[page]).page !== page)
    throw new Error(`${paths[page]} does not lead to the page ${page}.`);
  const prerendered = { ...STAND_IN_STATE, isReferralValid: isReferred };
  let html = renderToString(<App prerendered={prerendered} firstPath={paths[page]} />);
  if (page === 'landing') {
    html = mark(html, landingWithReferral(STAND_IN_STATE.referral), '<!--home-->');
    html = mark(html, STAND_IN_STATE.formMessage, '<!--form-message-->');
    html = mark(html, STAND_IN_STATE.formValue, '<!--form-value-->');
    html = mark(html, STAND_IN_STATE.referral, '<!--referral-->');
    html = mark(html, UNKNOWN_CODE, '<!--note-->');
  }
  if (page === 'invite') {
    html = mark(html, landingWithReferral(STAND_IN), '<!--home-->');
    html = mark(html, ghostSvg(STAND_IN), '<!--ghost-->');
  }
  const left = [STAND_IN, 'stand-in-'].find((text) => html.includes(text));
  if (left) throw new Error(`The page ${page} shows ${left} in its first state.`);
  return html;
}

function mark(html: string, standIn: string, marker: string): string {
  if (html.split(standIn).length !== 2)
    throw new Error(`${standIn.slice(0, 40)} must stand in the page exactly once.`);
  return html.replace(standIn, () => marker);
}

/** Added to the styles of the site, the same for all pages because each style needs a CSP hash. */
export const styles = [statusStyles, mailStyles, lateStyles, plainStyles, drawStyles]
  .map((sheet) => sheet.trim())
  .join('');

type RenderedPage = { readonly name: string; readonly title: string; readonly html: string };

/** The pages without the site's script. */
export function renderPagesWithoutScript(): RenderedPage[] {
  const { landingTitle, inviteTitle } = brand.copy;
  const mailPages = MAIL_PAGES.map((name) => {
    const html = render(mailPage(name), MAIL_PAGE_PLACES);
    const heading = /<h1>([^<]+)</.exec(html)?.[1];
    if (heading === undefined) throw new Error(`The page ${name} has no heading.`);
    return { name, title: `${heading} - ${brand.name}`, html };
  });
  return [
    ...mailPages,
    ...renderAll(plainStatusPages, landingTitle, PLAIN_STATUS_PLACES),
    ...renderAll(plainInvitePages, inviteTitle, [...PLAIN_INVITE_PLACES, ...FORM_PLACES]),
    { name: 'draw', title: `The draw - ${brand.name}`, html: render(<DrawPage />, []) },
  ];
}

function renderAll(
  pages: Readonly<Record<string, ReactNode>>,
  title: string,
  places: readonly string[],
): RenderedPage[] {
  return Object.entries(pages).map(([name, page]) => ({ name, title, html: render(page, places) }));
}

function render(page: ReactNode, places: readonly string[]): string {
  return renderToStaticMarkup(page).replace(PLACEHOLDER, (marker, name: string) => {
    if (![...places, 'ghost', 'choices'].includes(name))
      throw new Error(`A page has ${marker}, which the server does not know.`);
    return `<!--${name}-->`;
  });
}
