import { useEffect, useState } from 'react';
import { whenIdle } from '../../ui/when-idle.ts';

const REFRESH_MS = 30_000;

/**
 * The coarse paint of the first in line, read again after each move of the member and, while the
 * page is visible, every 30 seconds. Null until the first read has ended; empty if it failed.
 */
export function useFaces(position: number | null = null): readonly string[] | null {
  const [faces, setFaces] = useState<readonly string[] | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a move changes the order.
  useEffect(() => {
    let isWanted = true;

    /** A failed read changes nothing. */
    const load = () => {
      if (document.visibilityState === 'hidden') return;
      import('../../api/waitlist.ts')
        .then(({ getFaces }) => getFaces())
        .then(
          (fresh) => isWanted && setFaces(fresh.faces),
          () => isWanted && setFaces((faces) => faces ?? []),
        );
    };
    const cancel = whenIdle(load);
    const timer = setInterval(load, REFRESH_MS);
    document.addEventListener('visibilitychange', load);
    return () => {
      isWanted = false;
      cancel();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', load);
    };
  }, [position]);

  return faces;
}
