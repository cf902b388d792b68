import type { ComponentType } from 'react';
import type { PageProps } from './prerendered-state.ts';
import type { PageName } from './route.ts';

type Page = ComponentType<PageProps>;

const loaders: Readonly<Record<PageName, () => Promise<Page>>> = {
  landing: async () => (await import('./pages/landing/landing-page.tsx')).LandingPage,
  status: async () => (await import('./pages/status/status-page.tsx')).StatusPage,
  invite: async () => (await import('./pages/invite/invite-page.tsx')).InvitePage,
  'not-found': async () => (await import('./pages/not-found/not-found-page.tsx')).NotFoundPage,
};

const loaded = new Map<PageName, Page>();

/** null until the code is loaded. The first render cannot wait for it. */
export function getLoadedPage(name: PageName): Page | null {
  return loaded.get(name) ?? null;
}

export async function loadPage(name: PageName): Promise<void> {
  if (!loaded.has(name)) loaded.set(name, await loaders[name]());
}
