/** Prerenders the pages without the site's script, with markers for what the server fills in. */
import { renderToStaticMarkup } from 'react-dom/server';
import { brand } from '../brand/brand.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPageName } from '../contract/mail-pages.ts';
import {
  FORM_PLACES,
  PLAIN_INVITE_PAGES,
  PLAIN_INVITE_PLACES,
  type PlainInvitePageName,
} from '../contract/plain-invite.ts';
import {
  PLAIN_STATUS_PAGES,
  PLAIN_STATUS_PLACES,
  type PlainStatusPageName,
} from '../contract/plain-status.ts';
import drawStyles from './pages/draw/draw.css?inline';
import { DrawPage } from './pages/draw/draw-page.tsx';
import {
  PlainInvite,
  PlainInviteInvalid,
  PlainInviteUnverified,
} from './pages/invite/plain-invite.tsx';
import mailStyles from './pages/mail/mail-pages.css?inline';
import { mailPage } from './pages/mail/mail-pages.tsx';
import { placeholder } from './pages/parts/page-without-script.tsx';
import plainStyles from './pages/status/plain-status.css?inline';
import {
  PlainStatus,
  PlainStatusFailed,
  PlainStatusNotFound,
} from './pages/status/plain-status.tsx';

/** Added to the styles of the site, the same for all pages because each style needs a CSP hash. */
export const styles = mailStyles.trim() + plainStyles.trim() + drawStyles.trim();

type RenderedPage = {
  readonly name: MailPageName | PlainStatusPageName | PlainInvitePageName | 'draw';
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
  const plainInvites = PLAIN_INVITE_PAGES.map((name) => {
    const places = [...PLAIN_INVITE_PLACES, ...FORM_PLACES];
    const html = insertMarkers(renderToStaticMarkup(plainInvite[name]), places);
    return { name, title: brand.copy.inviteTitle, html };
  });
  const draw = renderToStaticMarkup(<DrawPage />);
  return [
    ...mailPages,
    ...plainPages,
    ...plainInvites,
    { name: 'draw', title: `The draw - ${brand.name}`, html: draw },
  ];
}

const plainStatus = {
  'plain-status': <PlainStatus />,
  'plain-status-not-found': <PlainStatusNotFound />,
  'plain-status-failed': <PlainStatusFailed />,
} satisfies Record<PlainStatusPageName, unknown>;

const plainInvite = {
  'plain-invite': <PlainInvite />,
  'plain-invite-invalid': <PlainInviteInvalid />,
  'plain-invite-unverified': <PlainInviteUnverified />,
} satisfies Record<PlainInvitePageName, unknown>;

function insertMarkers(html: string, places: readonly string[]): string {
  const marked = [...places, 'ghost'].reduce(
    (text, name) => text.replaceAll(placeholder(name), `<!--${name}-->`),
    html,
  );
  if (marked.includes(placeholder('')))
    throw new Error('A page has a placeholder that the server does not know.');
  return marked;
}
