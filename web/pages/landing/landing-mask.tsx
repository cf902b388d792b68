import { useEffect, useRef, useState } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { useMusic } from '../../browser/use-music.ts';
import { useQuietMode } from '../../browser/use-quiet-mode.ts';
import { useMusicLight } from '../../light/use-music-light.ts';
import { usePointerLight } from '../../light/use-pointer-light.ts';
import { DotArt } from '../../ui/dot-art.tsx';

/** The landing page is always served, so the browser never draws its mask and need not know how. */
const drawMask = import.meta.env.SSR ? maskSvg : () => '';

/** The mask, unlit: a charge passes down it once, and it takes up light from the pointer and the music. */
export function LandingMask() {
  const mask = useRef<HTMLDivElement>(null);
  const [isLive, setIsLive] = useState(false);
  const { state } = useQuietMode();
  const { isOn } = useMusic({ isTried: false });
  // Not before it is known whether the visitor wants any of it.
  const isLit = isLive && state === 'off';
  useEffect(() => setIsLive(true), []);
  usePointerLight(mask, { isAllowed: isLit });
  useMusicLight(mask, { isAllowed: isLit && isOn });

  return (
    <div className="landing-mask">
      <DotArt id="mask" draw={drawMask} isSwept={isLit} ref={mask} />
    </div>
  );
}
