import { useSyncExternalStore } from 'react';
import { Tooltip } from '../layers/tooltip.tsx';
import { formatMoment, formatRelative } from './times.ts';

const STEP_MS = 15_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** In steps, so that the snapshot is the same while nothing has passed. */
const readNow = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;

/** How long ago, kept true while it is in view; the whole time in a tooltip. `at`: ISO 8601. */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(subscribe, readNow, readNow);
  return (
    <Tooltip text={formatMoment(at)}>
      <time dateTime={at} className="relative-time">
        {formatRelative(at, now)}
      </time>
    </Tooltip>
  );
}
