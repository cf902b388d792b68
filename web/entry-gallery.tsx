/** Development only: every part and page state as static HTML, for /dev/ui. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { pageStates } from './dev/page-states.tsx';
import { PartsSheet } from './dev/parts-sheet.tsx';

/** In addition to those of the site. */
export { dropStyles } from './pages/status/drop/drop-section.tsx';

/** `isSheet`: shown once at the width of a sheet, not on a phone and a desktop. */
type GalleryFrame = { readonly name: string; readonly html: string; readonly isSheet: boolean };

export async function renderGallery(): Promise<GalleryFrame[]> {
  // The share card writes out the invite link.
  Object.assign(globalThis, { location: new URL('https://waitlist.example') });
  const frame = (name: string, element: ReactNode, isSheet = false) => ({
    name,
    html: renderToStaticMarkup(element),
    isSheet,
  });
  return [
    frame('Parts', <PartsSheet />, true),
    ...pageStates().map(({ name, element }) => frame(name, element)),
  ];
}
