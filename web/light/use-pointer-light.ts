import type { RefObject } from 'react';
import { isSavingData } from '../browser/saving-data.ts';
import { useAsyncEffect } from '../use-async-effect.ts';

/** Light under the pointer on the picture in `art`, for a mouse and without data saver. */
export function usePointerLight(
  art: RefObject<HTMLElement | null>,
  { isAllowed }: { isAllowed: boolean },
): void {
  useAsyncEffect(
    async (signal) => {
      if (!isAllowed || isSavingData() || !matchMedia('(pointer: fine)').matches) return;
      const loaded = await import('./pointer-light.ts').catch(() => null);
      if (loaded && art.current && !signal.aborted) loaded.lightPointer(art.current, signal);
    },
    [art, isAllowed],
  );
}
