/** Prerenders the pages without the site's script, with markers for what the server fills in. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { brand } from '../brand/brand.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES } from '../contract/mail-pages.ts';
import { FORM_PLACES, PLAIN_INVITE_PLACES } from '../contract/plain-invite.ts';
import { PLAIN_STATUS_PLACES } from '../contract/plain-status.ts';
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

/** Added to the styles of the site, the same for all pages because each style needs a CSP hash. */
export const styles = [statusStyles, mailStyles, lateStyles, plainStyles, drawStyles]
  .map((sheet) => sheet.trim())
  .join('');

type RenderedPage = { readonly name: string; readonly title: string; readonly html: string };

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
