/** Quiet mode: no glow and no motion. The styles do the work, at `[data-quiet]` of the document. */

/** In session storage: local storage has exactly the two keys of docs/behaviour.md 3. */
const QUIET_KEY = 'waitlist.quiet';

/** A system that asks for less motion or more contrast gets quiet mode, whatever is chosen here. */
const ASKED = '(prefers-reduced-motion: reduce), (prefers-contrast: more)';

export type QuietState = 'off' | 'chosen' | 'asked';

export type QuietMode = {
  /** 'asked': by the visitor's system. */
  getState(): QuietState;
  toggle(): void;
  subscribe(listener: () => void): () => void;
};

type Environment = {
  readonly asked: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
  /** Opening and reading it may throw. */
  readonly openMemory: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly show: (isQuiet: boolean) => void;
};

export function createQuietMode({ asked, openMemory, show }: Environment): QuietMode {
  const listeners = new Set<() => void>();
  let isChosen = readChoice();

  function readChoice(): boolean {
    try {
      return openMemory().getItem(QUIET_KEY) !== null;
    } catch {
      return false;
    }
  }

  function getState(): QuietState {
    if (asked.matches) return 'asked';
    return isChosen ? 'chosen' : 'off';
  }

  function publish(): void {
    show(getState() !== 'off');
    for (const listener of listeners) listener();
  }

  asked.addEventListener('change', publish);
  publish();

  return {
    getState,
    toggle() {
      isChosen = !isChosen;
      try {
        if (isChosen) openMemory().setItem(QUIET_KEY, 'yes');
        else openMemory().removeItem(QUIET_KEY);
      } catch {
        // Storage is refused: the choice lasts until the page is left.
      }
      publish();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

let opened: QuietMode | null = null;

function open(): QuietMode {
  opened ??= createQuietMode({
    asked: matchMedia(ASKED),
    openMemory: () => sessionStorage,
    show: (isQuiet) => document.documentElement.toggleAttribute('data-quiet', isQuiet),
  });
  return opened;
}

/** The quiet mode of this document. Its first subscriber opens it, because a render may read it. */
export const quietMode: QuietMode = {
  getState: () => opened?.getState() ?? 'off',
  toggle: () => open().toggle(),
  subscribe: (listener) => open().subscribe(listener),
};
