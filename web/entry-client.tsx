/** Makes the served page live as soon as it runs; web/entry-starter.ts says when. */
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadPage } from './page-modules.ts';
import { readRoute } from './route.ts';
import { readServed } from './served.ts';

async function hydrate(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The served page has no #root.');
  const firstPath = location.pathname;
  await loadPage(readRoute(firstPath).page);
  hydrateRoot(root, <App served={readServed(root)} firstPath={firstPath} />);
  // Someone who enters the field is about to need the status page, and with it the calls.
  root.addEventListener('focusin', () => loadPage('status').catch(() => undefined), { once: true });
}

void hydrate();
