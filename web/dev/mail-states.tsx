/** The pages behind the links in mails, in every state. */
import { renderToStaticMarkup } from 'react-dom/server';
import { ghostSvg } from '../../brand/art/ghost.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPagePlace } from '../../contract/mail-pages.ts';
import { mailPage } from '../pages/mail/mail-pages.tsx';
import { placeholder } from '../pages/parts/page-without-script.tsx';

type Samples = Readonly<Record<MailPagePlace, string>>;

/** `code`: whose face is shown. */
export function mailPageStates(code: string, samples: Samples): { name: string; html: string }[] {
  return MAIL_PAGES.map((name) => {
    const html = MAIL_PAGE_PLACES.reduce(
      (text, place) => text.replaceAll(placeholder(place), samples[place]),
      renderToStaticMarkup(mailPage(name)),
    );
    return { name: `Mail, ${name}`, html: html.replaceAll(placeholder('ghost'), ghostSvg(code)) };
  });
}
