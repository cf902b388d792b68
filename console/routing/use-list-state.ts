import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';

export type ListState = {
  /** Empty when absent. */
  get(name: string): string;
  /**
   * Sets parameters, and drops those with an empty value. Typing and sorting replace the entry of
   * the history; `isStep` adds one, so that Back returns from an opened row or a next page.
   */
  set(values: Values, options?: { readonly isStep?: boolean }): void;
  /** The path of this list with these values changed, for a link. */
  hrefWith(values: Values): string;
};

/** By name of the parameter. */
type Values = Readonly<Record<string, string>>;

/** What is searched, filtered, sorted, paged and open lives in the URL, and can be shared. */
export function useListState(): ListState {
  const [location] = useLocation();
  const [params, setParams] = useSearchParams();
  const get = (name: string) => params.get(name) ?? '';
  const set = useCallback<ListState['set']>(
    (values, { isStep = false } = {}) => {
      setParams((before) => change(before, values), { replace: !isStep });
    },
    [setParams],
  );
  return { get, set, hrefWith: (values) => `${location}?${change(params, values)}` };
}

function change(before: URLSearchParams, values: Values): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
