import { type RefObject, useEffect } from 'react';
import { loadMusic } from '../browser/use-music.ts';
import { untilLeft } from './until-left.ts';

/** Lets the picture in `art` follow the music while it plays. */
export function useMusicLight(art: RefObject<HTMLElement | null>, { isAllowed }: { isAllowed: boolean }): void {
  useEffect(() => {
    const element = art.current;
    if (!element || !isAllowed) return;
    return untilLeft(
      Promise.all([import('./music-light.ts'), loadMusic()]).then(
        ([{ lightByMusic }, music]) =>
          () =>
            lightByMusic(element, music),
      ),
    );
  }, [art, isAllowed]);
}
