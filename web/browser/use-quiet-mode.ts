import { useSyncExternalStore } from 'react';
import { openQuietMode, type QuietState } from './quiet-mode.ts';

/** Off in the first render, as in the served page. */
export function useQuietMode(): { readonly state: QuietState; readonly toggle: () => void } {
  const state = useSyncExternalStore(subscribe, getState, () => 'off' as const);
  return { state, toggle: () => openQuietMode().toggle() };
}

const subscribe = (listener: () => void) => openQuietMode().subscribe(listener);
const getState = () => openQuietMode().getState();
