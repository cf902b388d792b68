import { useSyncExternalStore } from 'react';
import { type QuietState, quietMode } from './quiet-mode.ts';

/** Off in the first render, as in the served page. */
export function useQuietMode(): { readonly state: QuietState; readonly toggle: () => void } {
  const { subscribe, getState, toggle } = quietMode;
  return { state: useSyncExternalStore(subscribe, getState, () => 'off' as const), toggle };
}
