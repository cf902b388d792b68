/** The code of the pages: one chunk each, loaded when its page is shown. */
import type { ComponentType } from 'react';
import type { PageName } from './route.ts';
import type { Served } from './served.ts';

/** `param` is the member id of the status page and the referral code of the invite page, else empty. */
export type PageProps = { readonly param: string; readonly served: Served };

type Page = ComponentType<PageProps>;

const loaders: Readonly<Record<PageName, () => Promise<Page>>> = {
  landing: async () => (await import('./pages/landing/landing-page.tsx')).LandingPage,
  status: async () => (await import('./pages/status/status-page.tsx')).StatusPage,
  invite: async () => (await import('./pages/invite/invite-page.tsx')).InvitePage,
  'not-found': async () => (await import('./pages/not-found/not-found-page.tsx')).NotFoundPage,
};

const loaded = new Map<PageName, Page>();

/** The page, if its code is here already: the first render must not wait. */
export function getLoadedPage(name: PageName): Page | null {
  return loaded.get(name) ?? null;
}

/** Rejects when the chunk cannot be had (offline, or replaced by a newer build). */
export async function loadPage(name: PageName): Promise<void> {
  if (!loaded.has(name)) loaded.set(name, await loaders[name]());
}
