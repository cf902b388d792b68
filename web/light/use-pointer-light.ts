import type { RefObject } from 'react';
import { isSavingData } from '../browser/saving-data.ts';
import { useAsyncEffect } from '../use-async-effect.ts';

/** Light under pointer or finger on the picture in `art`, without data saver. */
export function usePointerLight(
  art: RefObject<HTMLElement | null>,
  { isAllowed }: { isAllowed: boolean },
): void {
  useAsyncEffect(
    async (signal) => {
      if (!isAllowed || isSavingData()) return;
      const isTouched = !matchMedia('(pointer: fine)').matches;
      const touch = isTouched ? await firstTouch(art.current, signal) : null;
      const loaded = await import('./pointer-light.ts').catch(() => null);
      if (loaded && art.current && !signal.aborted) loaded.lightPointer(art.current, signal, touch);
    },
    [art, isAllowed],
  );
}

/** A phone fetches the light only for a finger that is on the picture. */
function firstTouch(element: HTMLElement | null, signal: AbortSignal): Promise<TouchEvent> {
  return new Promise((resolve) => {
    element?.addEventListener('touchstart', resolve, { signal, once: true, passive: true });
  });
}
