import { type RefObject, useRef } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { useQuietMode } from '../../browser/quiet-mode.ts';
import { isSavingData } from '../../browser/saving-data.ts';
import { loadMusic, useMusic } from '../../browser/use-music.ts';
import { ArtLight } from '../../ui/art-light.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { useHydrated } from '../../use-hydrated.ts';

/** The page is always served with its mask, so the browser need not draw it. */
const drawMask = import.meta.env.SSR ? maskSvg : () => '';

type Art = RefObject<HTMLElement | null>;

export function LandingMask() {
  const mask = useRef<HTMLDivElement>(null);
  const { state } = useQuietMode();
  const { isOn } = useMusic({ isTried: false });
  // Whether the visitor wants motion is unknown before hydration.
  const isLit = useHydrated() && state === 'off';
  usePointerLight(mask, isLit);
  useMusicLight(mask, isLit && isOn);

  return (
    <div className="landing-mask">
      <InlineArt id="mask" draw={drawMask} ref={mask}>
        {isLit && <ArtLight />}
      </InlineArt>
    </div>
  );
}

function usePointerLight(art: Art, isAllowed: boolean): void {
  useAsyncEffect(
    async (signal) => {
      if (!isAllowed || isSavingData()) return;
      const isTouched = !matchMedia('(pointer: fine)').matches;
      const touch = isTouched ? await firstTouch(art.current, signal) : null;
      const loaded = await import('../../light/pointer-light.ts').catch(() => null);
      if (loaded && art.current && !signal.aborted) loaded.lightPointer(art.current, signal, touch);
    },
    [art, isAllowed],
  );
}

/** A phone fetches the light only when a finger is on the picture. */
function firstTouch(element: HTMLElement | null, signal: AbortSignal): Promise<TouchEvent> {
  return new Promise((resolve) => {
    element?.addEventListener('touchstart', resolve, { signal, once: true, passive: true });
  });
}

function useMusicLight(art: Art, isAllowed: boolean): void {
  useAsyncEffect(
    async (signal) => {
      if (!isAllowed) return;
      const loaded = import('../../light/music-light.ts').catch(() => null);
      const [light, music] = await Promise.all([loaded, loadMusic()]);
      if (light && music && art.current && !signal.aborted)
        light.lightByMusic(art.current, music, signal);
    },
    [art, isAllowed],
  );
}
