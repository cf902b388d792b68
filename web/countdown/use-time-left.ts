import { useEffect, useState } from 'react';
import { brand } from '../../brand/brand.ts';

const TICK_MS = 250;

export type ServerClock = { readonly now: string; readonly receivedAt: number };

/** Milliseconds until `end` by the server's clock: the clock of the device may be wrong. */
export function useTimeLeft(end: string, { now, receivedAt }: ServerClock): number {
  const [, setTicks] = useState(0);

  useEffect(() => {
    const timer = setInterval(() => setTicks((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);

  return Date.parse(end) - Date.parse(now) - (performance.now() - receivedAt);
}

export function writeMoment(iso: string, timeZoneName: 'short' | 'long' = 'short'): string {
  const format = new Intl.DateTimeFormat(brand.language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName,
  });
  return format.format(new Date(iso));
}
