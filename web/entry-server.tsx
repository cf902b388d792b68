/** Renders each page in its first state, with a marker at every place that the server fills in per request. */
import { renderToString } from 'react-dom/server';
import { ghostSvg } from '../brand/art/ghost.ts';
import { brand } from '../brand/brand.ts';
import { pagePaths } from '../contract/paths.ts';
import { App } from './app.tsx';
import { loadPage } from './page-modules.ts';
import { type PageName, readRoute } from './route.ts';

/** Of the document around every page. */
export const { language } = brand;

/** Stands for a code or member id while rendering: what is drawn from it is cut out again. */
const STAND_IN = '0000000000';

const STAND_IN_SERVED = {
  formMessage: 'stand-in-form-message',
  formValue: 'stand-in-form-value',
  referral: 'stand-in-referral',
};

const paths: Readonly<Record<PageName, string>> = {
  landing: pagePaths.landing(),
  status: pagePaths.status(STAND_IN),
  invite: pagePaths.invite(STAND_IN),
  'not-found': '/stand-in/not-found',
};

/** The HTML inside `#root`. Throws when a page lacks a marker or shows a stand-in. */
export async function renderPage(page: PageName): Promise<string> {
  await loadPage(page);
  if (readRoute(paths[page]).page !== page) throw new Error(`${paths[page]} does not lead to the page ${page}.`);
  let html = renderToString(<App served={STAND_IN_SERVED} firstPath={paths[page]} />);
  const hasForm = page === 'landing' || page === 'invite';
  if (hasForm) {
    html = mark(html, STAND_IN_SERVED.formMessage, '<!--form-message-->');
    html = mark(html, STAND_IN_SERVED.formValue, '<!--form-value-->');
    html = mark(html, STAND_IN_SERVED.referral, '<!--referral-->');
  }
  if (page === 'invite') html = mark(html, ghostSvg(STAND_IN), '<!--ghost-->');
  const left = [STAND_IN, 'stand-in-'].find((text) => html.includes(text));
  if (left) throw new Error(`The page ${page} shows ${left} in its first state.`);
  return html;
}

function mark(html: string, standIn: string, marker: string): string {
  if (html.split(standIn).length !== 2) throw new Error(`${standIn.slice(0, 40)} must stand in the page exactly once.`);
  return html.replace(standIn, () => marker);
}
