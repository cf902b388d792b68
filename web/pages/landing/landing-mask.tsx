import { useEffect, useRef, useState } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { useMusic } from '../../browser/use-music.ts';
import { useQuietMode } from '../../browser/use-quiet-mode.ts';
import { useMusicLight } from '../../light/use-music-light.ts';
import { usePointerLight } from '../../light/use-pointer-light.ts';
import { ArtLight } from '../../ui/art-light.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';

/** The landing page is always served with its mask, so the browser need not know how to draw it. */
const drawMask = import.meta.env.SSR ? maskSvg : () => '';

/** The unlit mask: a charge passes down it once, and pointer and music light it. */
export function LandingMask() {
  const mask = useRef<HTMLDivElement>(null);
  const [isHydrated, setHydrated] = useState(false);
  const { state } = useQuietMode();
  const { isOn } = useMusic({ isTried: false });
  // Before hydration it is not known whether the visitor wants motion.
  const isLit = isHydrated && state === 'off';
  useEffect(() => setHydrated(true), []);
  usePointerLight(mask, { isAllowed: isLit });
  useMusicLight(mask, { isAllowed: isLit && isOn });

  return (
    <div className="landing-mask">
      <InlineArt id="mask" draw={drawMask} ref={mask}>
        {isLit && <ArtLight />}
      </InlineArt>
    </div>
  );
}
