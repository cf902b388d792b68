import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Music } from './music.ts';

/** Resolves to the same music every time. */
export const loadMusic = async (): Promise<Music> => (await import('./browser-music.ts')).browserMusic;

const NO_MUSIC: Pick<Music, 'isOn' | 'subscribe'> = { isOn: () => false, subscribe: () => () => undefined };

/**
 * Background music, which plays on over changes of page. `isTried`: the page tries to play by itself (SPEC 9). The toggle
 * must bear the attribute `data-music-toggle`. Off in the first render, as in the served page.
 */
export function useMusic({ isTried }: { isTried: boolean }): { readonly isOn: boolean; readonly toggle: () => void } {
  const [music, setMusic] = useState<Music | null>(null);
  const { subscribe, isOn } = music ?? NO_MUSIC;

  useEffect(() => {
    loadMusic().then(
      (loaded) => {
        setMusic(loaded);
        if (isTried) loaded.start();
      },
      // A chunk that cannot be had costs the music only.
      () => undefined,
    );
  }, [isTried]);

  return {
    isOn: useSyncExternalStore(subscribe, isOn, NO_MUSIC.isOn),
    toggle: () =>
      void loadMusic().then(
        (loaded) => loaded.toggle(),
        () => undefined,
      ),
  };
}
