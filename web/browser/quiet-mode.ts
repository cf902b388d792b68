/** Quiet mode: the pages without glow and motion. The style sheet does the work, at `[data-quiet]` of the document. */

/** For the visit alone: local storage has two keys and no third (SPEC 3). */
const QUIET_KEY = 'waitlist.quiet';

/** Systems that ask for less motion or more contrast get it without a press, and not before they ask for the opposite. */
const ASKED = '(prefers-reduced-motion: reduce), (prefers-contrast: more)';

export type QuietState = 'off' | 'chosen' | 'asked';

export type QuietMode = {
  /** 'asked': by the visitor's system, whatever they chose here. */
  getState(): QuietState;
  toggle(): void;
  subscribe(listener: () => void): () => void;
};

type Environment = {
  readonly asked: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
  /** Opening it may throw, as reading it may. */
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

  function tell(): void {
    show(getState() !== 'off');
    for (const listener of listeners) listener();
  }

  asked.addEventListener('change', tell);
  tell();

  return {
    getState,
    toggle() {
      isChosen = !isChosen;
      try {
        if (isChosen) openMemory().setItem(QUIET_KEY, 'yes');
        else openMemory().removeItem(QUIET_KEY);
      } catch {
        // Not remembered then.
      }
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

let opened: QuietMode | null = null;

/** The quiet mode of this document. */
export function openQuietMode(): QuietMode {
  opened ??= createQuietMode({
    asked: matchMedia(ASKED),
    openMemory: () => sessionStorage,
    show: (isQuiet) => document.documentElement.toggleAttribute('data-quiet', isQuiet),
  });
  return opened;
}
