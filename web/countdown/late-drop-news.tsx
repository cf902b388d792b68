import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '../ui/when-idle.ts';
import { fetchDrop, type ShownDrop } from './fetch-drop.ts';

type Shown = { readonly first: ShownDrop; readonly DropNews: ComponentType<{ first: ShownDrop }> };

export function LateDropNews() {
  const [shown, setShown] = useState<Shown | null>(null);

  useEffect(() => {
    let isWanted = true;
    async function load(): Promise<void> {
      const first = await fetchDrop();
      if (first === null || !(first.next_step || first.paused || isUnderWay(first))) return;
      const { DropNews } = await import('./drop-news.tsx');
      if (isWanted) setShown({ first, DropNews });
    }
    // A failure shows nothing, because the page is complete without the news.
    const cancel = whenIdle(() => void load().catch(() => undefined));
    return () => {
      isWanted = false;
      cancel();
    };
  }, []);

  return shown && <shown.DropNews first={shown.first} />;
}

function isUnderWay({ state = 'open' }: ShownDrop): boolean {
  return state !== 'open';
}
