import { useState, useSyncExternalStore } from 'react';
import { toastForFailure } from '../toasts.ts';
import { toastStore } from '../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../use-async-effect.ts';
import type { Music } from './music.ts';

export const loadMusic = async (): Promise<Music | null> =>
  (await import('./browser-music.ts').catch(() => null))?.browserMusic ?? null;

const NO_MUSIC: Pick<Music, 'isOn' | 'subscribe'> = {
  isOn: () => false,
  subscribe: () => () => undefined,
};

/**
 * `isTried`: the page tries to play by itself. The toggle needs the attribute data-music-toggle.
 */
export function useMusic({ isTried }: { isTried: boolean }): {
  readonly isOn: boolean;
  readonly toggle: () => void;
} {
  const [music, setMusic] = useState<Music | null>(null);
  const { subscribe, isOn } = music ?? NO_MUSIC;

  useAsyncEffect(
    async (signal) => {
      const loaded = await loadMusic();
      if (signal.aborted) return;
      setMusic(loaded);
      if (isTried) loaded?.start();
    },
    [isTried],
  );

  return {
    isOn: useSyncExternalStore(subscribe, isOn, NO_MUSIC.isOn),
    async toggle() {
      const isThere = await (await loadMusic())?.toggle();
      if (!isThere) toastStore.show(toastForFailure(null));
    },
  };
}
