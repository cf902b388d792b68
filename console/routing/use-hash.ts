import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** What stands behind the # of the address; empty without one. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash.slice(1));
}
