import type { RefObject } from 'react';
import { loadMusic } from '../browser/use-music.ts';
import { useAsyncEffect } from '../use-async-effect.ts';

/** Lets the picture in `art` follow the music while it plays. */
export function useMusicLight(
  art: RefObject<HTMLElement | null>,
  { isAllowed }: { isAllowed: boolean },
): void {
  useAsyncEffect(
    async (signal) => {
      if (!isAllowed) return;
      const loaded = import('./music-light.ts').catch(() => null);
      const [light, music] = await Promise.all([loaded, loadMusic()]);
      if (light && music && art.current && !signal.aborted)
        light.lightByMusic(art.current, music, signal);
    },
    [art, isAllowed],
  );
}
