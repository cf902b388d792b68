/** Renders the pages that mails link to: plain HTML with a marker at every place that the server fills in. */
import { renderToStaticMarkup } from 'react-dom/server';
import { brand } from '../brand/brand.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPageName, type MailState } from '../contract/mail-pages.ts';
import { ConfirmExpiredPage, ConfirmedPage, ConfirmPage } from './pages/confirm/confirm-page.tsx';
import styles from './pages/mail-pages.css?inline';
import { LinkTroublePage, LinkUnknownPage } from './pages/parts/link-notices.tsx';
import { place } from './pages/parts/mail-page.tsx';
import { LeavePage, LeftPage } from './pages/preferences/leave-page.tsx';
import { PreferencesExpiredPage, PreferencesPage } from './pages/preferences/preferences-page.tsx';

/** What these pages need besides the styles of the site. */
export { styles };

type RenderedPage = { readonly name: MailPageName; readonly title: string; readonly html: string };

export function renderMailPages(): RenderedPage[] {
  return MAIL_PAGES.map((name) => {
    const html = markPlaces(renderToStaticMarkup(elementOf(name)));
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

function markPlaces(html: string): string {
  const names = [...MAIL_PAGE_PLACES, 'ghost'];
  const marked = names.reduce((text, name) => text.replaceAll(place(name), `<!--${name}-->`), html);
  if (marked.includes(place(''))) throw new Error('A page has a place that the server does not know.');
  return marked;
}
