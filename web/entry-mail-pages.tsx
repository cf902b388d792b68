/** Prerenders the pages that mails link to: HTML with markers for what the server fills in. */
import { renderToStaticMarkup } from 'react-dom/server';
import { brand } from '../brand/brand.ts';
import {
  MAIL_PAGE_PLACES,
  MAIL_PAGES,
  type MailPageName,
  type MailState,
} from '../contract/mail-pages.ts';
import { ConfirmExpiredPage, ConfirmedPage, ConfirmPage } from './pages/mail/confirm-pages.tsx';
import { LeavePage, LeftPage } from './pages/mail/leave-pages.tsx';
import { LinkTroublePage, LinkUnknownPage } from './pages/mail/link-pages.tsx';
import { placeholder } from './pages/mail/mail-page.tsx';
import styles from './pages/mail/mail-pages.css?inline';
import { PreferencesExpiredPage, PreferencesPage } from './pages/mail/preferences-pages.tsx';

/** In addition to the styles of the site. */
export { styles };

type RenderedPage = { readonly name: MailPageName; readonly title: string; readonly html: string };

export function renderMailPages(): RenderedPage[] {
  return MAIL_PAGES.map((name) => {
    const html = insertMarkers(renderToStaticMarkup(elementOf(name)));
    const heading = /<h1>([^<]+)</.exec(html)?.[1];
    if (heading === undefined) throw new Error(`The page ${name} has no heading.`);
    return { name, title: `${heading} - ${brand.name}`, html };
  });
}

function elementOf(name: MailPageName) {
  const [, expired, mail] = /^preferences-(expired-)?(\w+)$/.exec(name) ?? [];
  if (mail !== undefined) {
    const Page = expired === undefined ? PreferencesPage : PreferencesExpiredPage;
    return <Page mail={mail as MailState} />;
  }
  return others[name as keyof typeof others];
}

const others = {
  confirm: <ConfirmPage />,
  confirmed: <ConfirmedPage />,
  'confirm-expired': <ConfirmExpiredPage />,
  leave: <LeavePage />,
  left: <LeftPage />,
  'link-unknown': <LinkUnknownPage />,
  'link-trouble': <LinkTroublePage />,
} satisfies Partial<Record<MailPageName, unknown>>;

function insertMarkers(html: string): string {
  const names = [...MAIL_PAGE_PLACES, 'ghost'];
  const marked = names.reduce(
    (text, name) => text.replaceAll(placeholder(name), `<!--${name}-->`),
    html,
  );
  if (marked.includes(placeholder('')))
    throw new Error('A page has a placeholder that the server does not know.');
  return marked;
}
