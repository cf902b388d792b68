import { useCallback, useSyncExternalStore } from 'react';
import { useLocation, useSearchParams } from 'wouter';

export type ListState = {
  get(name: string): string;
  /**
   * Sets parameters, and drops those with an empty value. Typing and sorting replace the entry of
   * the history; `isStep` adds one, so that Back returns from an opened row.
   */
  set(values: Values, options?: { readonly isStep?: boolean }): void;
  search(text: string): void;
  close(): void;
  hrefWith(values: Values): string;
};

type Values = Readonly<Record<string, string>>;

export function useListState(): ListState {
  const [location] = useLocation();
  const [params, setParams] = useSearchParams();
  const set = useCallback<ListState['set']>(
    (values, { isStep = false } = {}) => {
      setParams((before) => change(before, values), { replace: !isStep });
    },
    [setParams],
  );
  return {
    get: (name) => params.get(name) ?? '',
    set,
    search: useCallback((q) => set({ q }), [set]),
    close: () => set({ open: '' }, { isStep: true }),
    hrefWith: (values) => `${location}?${change(params, values)}`,
  };
}

function change(before: URLSearchParams, values: Values): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

export function useHash(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash.slice(1));
}
