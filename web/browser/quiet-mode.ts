/** Quiet mode: no glow and no motion. The styles do the work, at `[data-quiet]` of the document. */
import { useSyncExternalStore } from 'react';
import { type BrowserMemory, tabMemory } from '../ui/browser-memory.ts';

const QUIET_KEY = 'waitlist.quiet';

/** A system that requests less motion or more contrast outranks the choice on the page. */
const ASKED = '(prefers-reduced-motion: reduce), (prefers-contrast: more)';

type QuietState = 'off' | 'chosen' | 'asked';

type QuietMode = ReturnType<typeof createQuietMode>;

type Environment = {
  readonly asked: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
  readonly memory: BrowserMemory;
  readonly show: (isQuiet: boolean) => void;
};

export function createQuietMode({ asked, memory, show }: Environment) {
  const listeners = new Set<() => void>();

  function getState(): QuietState {
    if (asked.matches) return 'asked';
    return memory.read(QUIET_KEY) === null ? 'off' : 'chosen';
  }

  function publish(): void {
    show(getState() !== 'off');
    for (const listener of listeners) listener();
  }

  asked.addEventListener('change', publish);
  publish();

  return {
    getState,
    toggle(): void {
      memory.write(QUIET_KEY, memory.read(QUIET_KEY) === null ? 'yes' : null);
      publish();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

let opened: QuietMode | null = null;

function open(): QuietMode {
  opened ??= createQuietMode({
    asked: matchMedia(ASKED),
    memory: tabMemory,
    show: (isQuiet) => document.documentElement.toggleAttribute('data-quiet', isQuiet),
  });
  return opened;
}

export const quietMode: QuietMode = {
  getState: () => opened?.getState() ?? 'off',
  toggle: () => open().toggle(),
  subscribe: (listener) => open().subscribe(listener),
};

/** The first render has the state of the served page: off. */
export function useQuietMode(): { readonly state: QuietState; readonly toggle: () => void } {
  const { subscribe, getState, toggle } = quietMode;
  return { state: useSyncExternalStore(subscribe, getState, () => 'off' as const), toggle };
}
