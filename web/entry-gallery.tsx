/** Development only: every part and page state as static HTML, for /dev/ui. */

import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ghostSvg } from '../brand/art/ghost.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPagePlace } from '../contract/mail-pages.ts';
import { CODE, MEMBER, pageStates } from './dev/page-states.tsx';
import { PartsSheet } from './dev/parts-sheet.tsx';
import mailStyles from './pages/mail/mail-pages.css?inline';
import { mailPage } from './pages/mail/mail-pages.tsx';
import { placeholder } from './pages/parts/page-without-script.tsx';
import { dropStyles } from './pages/status/drop/drop-section.tsx';

export const moreStyles = dropStyles + mailStyles;

/** `isSheet`: shown once at the width of a sheet, not on a phone and a desktop. */
type GalleryFrame = { readonly name: string; readonly html: string; readonly isSheet: boolean };

export async function renderGallery(): Promise<GalleryFrame[]> {
  Object.assign(globalThis, { location: new URL('https://waitlist.example') });
  const frame = (name: string, element: ReactNode, isSheet = false) => ({
    name,
    html: renderToStaticMarkup(element),
    isSheet,
  });
  return [
    frame('Parts', <PartsSheet />, true),
    ...Object.entries(pageStates()).map(([name, element]) => frame(name, element)),
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
      code: '7K3M-PQ9X-HT2F-W8RA',
    }).map((state) => ({ ...state, isSheet: false })),
  ];
}

type Samples = Readonly<Record<MailPagePlace, string>>;

function mailPageStates(code: string, samples: Samples): { name: string; html: string }[] {
  return MAIL_PAGES.map((name) => {
    const html = MAIL_PAGE_PLACES.reduce(
      (text, place) => text.replaceAll(placeholder(place), samples[place]),
      renderToStaticMarkup(mailPage(name)),
    );
    return { name: `Mail, ${name}`, html: html.replaceAll(placeholder('ghost'), ghostSvg(code)) };
  });
}
