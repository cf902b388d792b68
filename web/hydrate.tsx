/** Makes the served page live. */
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { navigateWithTransition } from './navigation.ts';
import { loadPage } from './page-modules.ts';
import { readRoute } from './route.ts';
import { readServed } from './served.ts';

export async function hydrate(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The served page has no #root.');
  const { page } = readRoute(location.pathname);
  await loadPage(page);
  hydrateRoot(root, <App served={readServed(root)} aroundNav={navigateWithTransition} />);
  // Someone who types an address is about to need the status page.
  root.addEventListener('focusin', () => loadPage('status').catch(() => undefined), { once: true });
}
