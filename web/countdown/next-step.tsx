import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '../ui/when-idle.ts';
import { fetchNextStep, type ShownStep } from './fetch-next-step.ts';

type Shown = { readonly first: ShownStep; readonly Countdown: ComponentType<{ first: ShownStep }> };

/** Counts down to the next step of the drop once the operator has published it. */
export function NextStep() {
  const [shown, setShown] = useState<Shown | null>(null);

  useEffect(() => {
    let isWanted = true;
    async function load(): Promise<void> {
      const first = await fetchNextStep();
      if (first === null) return;
      const { Countdown } = await import('./countdown.tsx');
      if (isWanted) setShown({ first, Countdown });
    }
    // The page is whole without it.
    const cancel = whenIdle(() => void load().catch(() => undefined));
    return () => {
      isWanted = false;
      cancel();
    };
  }, []);

  return shown && <shown.Countdown first={shown.first} />;
}
