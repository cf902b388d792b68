import { type ComponentType, useState } from 'react';
import { untilIdle } from '../ui/when-idle.ts';
import { useAsyncEffect } from '../use-async-effect.ts';
import { fetchDrop, type ShownDrop } from './fetch-drop.ts';

type Shown = { readonly first: ShownDrop; readonly DropNews: ComponentType<{ first: ShownDrop }> };

export function LateDropNews() {
  const [shown, setShown] = useState<Shown | null>(null);

  // A failure shows nothing, because the page is complete without the news.
  useAsyncEffect(async (signal) => {
    await untilIdle();
    if (signal.aborted) return;
    const first = await fetchDrop().catch(() => null);
    if (first === null || !(first.next_step || first.paused || isUnderWay(first))) return;
    const loaded = await import('./drop-news.tsx').catch(() => null);
    if (loaded && !signal.aborted) setShown({ first, DropNews: loaded.DropNews });
  }, []);

  return shown && <shown.DropNews first={shown.first} />;
}

function isUnderWay({ state = 'open' }: ShownDrop): boolean {
  return state !== 'open';
}
