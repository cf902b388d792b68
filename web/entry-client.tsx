/** Hydrates the served page. */
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { endMissingCode, reportMissingCode } from './missing-code.ts';
import { loadPage } from './page-modules.ts';
import { readPrerenderedState } from './prerendered-state.ts';
import { readRoute } from './route.ts';

async function hydrate(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The served page has no #root.');
  const firstPath = location.pathname;
  try {
    await loadPage(readRoute(firstPath).page);
  } catch {
    return reportMissingCode();
  }
  endMissingCode();
  const app = <App prerendered={readPrerenderedState(root)} firstPath={firstPath} />;
  // A transition is rendered in slices of 5 ms, so that a slow phone can answer in between.
  startTransition(() => {
    // StrictMode in development and in the build that the browser tests visit.
    hydrateRoot(root, import.meta.env.PROD ? app : <StrictMode>{app}</StrictMode>);
  });
  // Prefetch the status page, and with it the API calls, before they are needed.
  root.addEventListener('focusin', () => loadPage('status').catch(() => undefined), { once: true });
}

void hydrate();
