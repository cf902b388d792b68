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
    await loadPage(readRoute(firstPath).page, true);
  } catch {
    return reportMissingCode();
  }
  endMissingCode();
  const app = <App prerendered={readPrerenderedState(root)} firstPath={firstPath} />;
  // A transition renders in slices of 5 ms, so a slow phone stays responsive.
  startTransition(() => {
    hydrateRoot(root, import.meta.env.PROD ? app : <StrictMode>{app}</StrictMode>, {
      onUncaughtError(error) {
        reportError(error);
        reportMissingCode();
      },
    });
  });
  // Prefetch the status page, and with it the API calls, before they are needed.
  root.addEventListener('focusin', () => loadPage('status').catch(() => undefined), { once: true });
}

void hydrate();
