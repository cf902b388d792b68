import type { ComponentType } from 'react';
import statusStyles from './pages/status/status.css?url';
import type { PageProps } from './prerendered-state.ts';
import type { PageName } from './route.ts';
import { loadStyles } from './ui/late-styles.ts';

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

/** `isFirst`: its styles are in the document. */
export async function loadPage(name: PageName, isFirst = false): Promise<void> {
  if (loaded.has(name)) return;
  // Other pages share one sheet, which is in every document.
  const styles = name === 'status' && !isFirst ? loadStyles(statusStyles) : undefined;
  const [page] = await Promise.all([loaders[name](), styles]);
  loaded.set(name, page);
}
