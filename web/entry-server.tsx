/** Prerenders each page in its first state, with markers for what the server fills in. */
import { renderToString } from 'react-dom/server';
import { ghostSvg } from '../brand/art/ghost.ts';
import { brand } from '../brand/brand.ts';
import { fillPath, landingWithReferral, pagePaths } from '../contract/paths.ts';
import { UNKNOWN_CODE } from '../contract/plain-invite.ts';
import { App } from './app.tsx';
import { loadPage } from './page-modules.ts';
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
