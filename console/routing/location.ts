import { useSyncExternalStore } from 'react';
import { useLocation, useSearchParams } from 'wouter';

export type ListState = ReturnType<typeof useListState>;

type Values = Readonly<Record<string, string>>;

export function useListState() {
  const [location] = useLocation();
  const [params, setParams] = useSearchParams();
  /** `isStep` adds an entry to the history, so that Back returns from an opened row. */
  function set(values: Values, { isStep = false } = {}): void {
    setParams((before) => change(before, values), { replace: !isStep });
  }
  return {
    get: (name: string) => params.get(name) ?? '',
    set,
    /** The field of a filter. Its first option, if given, is no filter, and not in the URL. */
    field: (name: string, usual = '') => ({
      value: params.get(name) ?? usual,
      onChange: (value: string) => set({ [name]: value === usual ? '' : value }),
    }),
    close: () => set({ open: '' }, { isStep: true }),
    hrefWith: (values: Values) => `${location}?${change(params, values)}`,
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
