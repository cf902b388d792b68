/**
 * Prerenders the pages without script, those that mails link to and the plain status page: HTML
 * with markers for what the server fills in. And the page of the draw, which has a script of its
 * own.
 */
import { renderToStaticMarkup } from 'react-dom/server';
import { brand } from '../brand/brand.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPageName } from '../contract/mail-pages.ts';
import {
  PLAIN_STATUS_PAGES,
  PLAIN_STATUS_PLACES,
  type PlainStatusPageName,
} from '../contract/plain-status.ts';
import drawStyles from './pages/draw/draw.css?inline';
import { DrawPage } from './pages/draw/draw-page.tsx';
import mailStyles from './pages/mail/mail-pages.css?inline';
import { mailPage } from './pages/mail/mail-pages.tsx';
import { placeholder } from './pages/parts/page-without-script.tsx';
import plainStyles from './pages/status/plain/plain-status.css?inline';
import {
  PlainStatus,
  PlainStatusFailed,
  PlainStatusNotFound,
} from './pages/status/plain/plain-status.tsx';

/** In addition to the styles of the site. The same for all pages: each style needs a CSP hash. */
export const styles = mailStyles.trim() + plainStyles.trim() + drawStyles.trim();

type RenderedPage = {
  readonly name: MailPageName | PlainStatusPageName | 'draw';
  readonly title: string;
  readonly html: string;
};

export function renderPagesWithoutScript(): RenderedPage[] {
  const mailPages = MAIL_PAGES.map((name) => {
    const html = insertMarkers(renderToStaticMarkup(mailPage(name)), MAIL_PAGE_PLACES);
    const heading = /<h1>([^<]+)</.exec(html)?.[1];
    if (heading === undefined) throw new Error(`The page ${name} has no heading.`);
    return { name, title: `${heading} - ${brand.name}`, html };
  });
  const plainPages = PLAIN_STATUS_PAGES.map((name) => {
    const html = insertMarkers(renderToStaticMarkup(plainStatus[name]), PLAIN_STATUS_PLACES);
    return { name, title: brand.copy.landingTitle, html };
  });
  const draw = renderToStaticMarkup(<DrawPage />);
  return [
    ...mailPages,
    ...plainPages,
    { name: 'draw', title: `The draw - ${brand.name}`, html: draw },
  ];
}

const plainStatus = {
  'plain-status': <PlainStatus />,
  'plain-status-not-found': <PlainStatusNotFound />,
  'plain-status-failed': <PlainStatusFailed />,
} satisfies Record<PlainStatusPageName, unknown>;

function insertMarkers(html: string, places: readonly string[]): string {
  const marked = [...places, 'ghost'].reduce(
    (text, name) => text.replaceAll(placeholder(name), `<!--${name}-->`),
    html,
  );
  if (marked.includes(placeholder('')))
    throw new Error('A page has a placeholder that the server does not know.');
  return marked;
}
