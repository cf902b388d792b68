/** Development only: every part and every state of the pages as plain HTML, for the page /dev/ui. No visitor's script holds it. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { pageStates } from './dev/page-states.tsx';
import { PartsSheet } from './dev/parts-sheet.tsx';

/** A state and its HTML. `isWide`: to be seen at the width of a sheet rather than of a phone and a desk. */
type GalleryFrame = { readonly name: string; readonly html: string; readonly isSheet: boolean };

export async function renderGallery(): Promise<GalleryFrame[]> {
  // The share card writes the invite link out.
  Object.assign(globalThis, { location: new URL('https://waitlist.example') });
  const frame = (name: string, element: ReactNode, isSheet = false) => ({
    name,
    html: renderToStaticMarkup(element),
    isSheet,
  });
  return [
    frame('Parts', <PartsSheet />, true),
    ...(await pageStates()).map(({ name, element }) => frame(name, element)),
  ];
}
