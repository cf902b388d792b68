import { type RefObject, useEffect } from 'react';
import { isSavingData } from '../browser/saving-data.ts';
import { untilLeft } from './until-left.ts';

/** Light under the pointer on the picture in `art`, where there is a pointer that can be followed and nothing forbids it. */
export function usePointerLight(art: RefObject<HTMLElement | null>, { isAllowed }: { isAllowed: boolean }): void {
  useEffect(() => {
    const element = art.current;
    if (!element || !isAllowed || isSavingData() || !matchMedia('(pointer: fine)').matches) return;
    return untilLeft(
      import('./pointer-light.ts').then(
        ({ lightPointer }) =>
          () =>
            lightPointer(element),
      ),
    );
  }, [art, isAllowed]);
}
