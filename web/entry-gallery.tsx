/** Development only: every page state as static HTML, for /dev/ui. */

import { renderToStaticMarkup } from 'react-dom/server';
import { ghostSvg } from '../brand/art/ghost.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPagePlace } from '../contract/mail-pages.ts';
import { CODE, MEMBER, pageStates } from './dev/page-states.tsx';
import mailStyles from './pages/mail/mail-pages.css?inline';
import { mailPage } from './pages/mail/mail-pages.tsx';
import { placeholder } from './pages/parts/page-without-script.tsx';
import dropStyles from './pages/status/drop/drop.css?inline';
import lateStyles from './pages/status/late.css?inline';
import statusStyles from './pages/status/status.css?inline';

export const moreStyles = statusStyles + lateStyles + dropStyles + mailStyles;

type GalleryFrame = { readonly name: string; readonly html: string };

export async function renderGallery(): Promise<GalleryFrame[]> {
  const location = new URL('https://waitlist.example');
  const matchMedia = () => ({ matches: false });
  Object.assign(globalThis, { location, matchMedia, window: globalThis });
  return [
    ...Object.entries(pageStates()).map(([name, element]) => ({
      name,
      html: renderToStaticMarkup(element),
    })),
    ...mailPageStates(CODE, {
      token: 'token',
      email: 'me\u2022\u2022\u2022@example.com',
      position: String(MEMBER.position),
      'member-id': MEMBER.id,
      detail: 'This link has expired.',
      level: '1',
      reward: MEMBER.next_tier?.reward ?? '',
      size: 'Medium',
      until: 'November 22 at 8:00 PM UTC',
    }),
  ];
}

type Samples = Readonly<Record<MailPagePlace, string>>;

function mailPageStates(code: string, samples: Samples): GalleryFrame[] {
  return MAIL_PAGES.map((name) => {
    const html = MAIL_PAGE_PLACES.reduce(
      (text, place) => text.replaceAll(placeholder(place), samples[place]),
      renderToStaticMarkup(mailPage(name)),
    );
    const filled = html
      .replaceAll(placeholder('ghost'), ghostSvg(code))
      .replaceAll(placeholder('choices'), '<p>7K3M-PQ9X-HT2F-W8RA</p>');
    return { name: `Mail, ${name}`, html: filled };
  });
}
