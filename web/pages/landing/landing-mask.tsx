import { type RefObject, useRef } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { useQuietMode } from '../../browser/quiet-mode.ts';
import { isSavingData } from '../../browser/saving-data.ts';
import { loadMusic, useMusic } from '../../browser/use-music.ts';
import type { Turning } from '../../light/turning-mask.ts';
import { ArtLight } from '../../ui/art-light.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';
import { untilIdle } from '../../ui/when-idle.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { useHydrated } from '../../use-hydrated.ts';

/** The page is always served with its mask, so the browser need not draw it. */
const drawMask = import.meta.env.SSR ? maskSvg : () => '';

/** Returns the present charge of the whole mask, from 0 to 1. */
type Charge = RefObject<() => number>;

export function LandingMask() {
  const mask = useRef<HTMLDivElement>(null);
  const charge = useRef(() => 0);
  const isMoving = useMotionAllowed();
  const { isOn } = useMusic({ isTried: false });
  useTurningMask(mask, isMoving, { charge, isPainted: true });
  useMusicLight(charge, isMoving && isOn);

  return (
    <div className="landing-mask">
      <InlineArt id="mask" draw={drawMask} ref={mask}>
        {isMoving && <ArtLight />}
      </InlineArt>
    </div>
  );
}

/** False before hydration, when the visitor's wish is unknown. */
export function useMotionAllowed(): boolean {
  const { state } = useQuietMode();
  return useHydrated() && state === 'off';
}

type TurningMaskOptions = Partial<Pick<Turning, 'onTurn' | 'isPainted'>> & { charge?: Charge };

/** The code loads once the browser is idle. */
export function useTurningMask(
  art: RefObject<HTMLElement | null>,
  isAllowed: boolean,
  { charge, onTurn, isPainted = false }: TurningMaskOptions,
): void {
  useAsyncEffect(
    async (signal) => {
      if (!isAllowed || isSavingData()) return;
      await untilIdle();
      const loaded = await import('../../light/turning-mask.ts').catch(() => null);
      if (!loaded || !art.current || signal.aborted) return;
      await loaded.startTurning(art.current, {
        signal,
        charge: () => charge?.current() ?? 0,
        onTurn,
        isPainted,
      });
    },
    [art, isAllowed, charge, onTurn, isPainted],
  );
}

function useMusicLight(charge: Charge, isAllowed: boolean): void {
  useAsyncEffect(
    async (signal) => {
      if (!isAllowed) return;
      const loaded = import('../../light/music-light.ts').catch(() => null);
      const [light, music] = await Promise.all([loaded, loadMusic()]);
      if (!light || !music || signal.aborted) return;
      charge.current = light.lightByMusic(music);
      signal.addEventListener('abort', () => {
        charge.current = () => 0;
      });
    },
    [charge, isAllowed],
  );
}
