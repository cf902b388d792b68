/** The next step of the drop, whose time is public. */
import { useEffect, useState } from 'react';
import { brand } from '../../brand/brand.ts';
import { STEP_WORDS } from '../../contract/drop/step-words.ts';
import { pagePaths } from '../../contract/paths.ts';
import { useQuietMode } from '../browser/use-quiet-mode.ts';
import { sayLeft, writeLeft } from './countdown-rules.ts';
import { fetchDrop, type ShownDrop } from './fetch-drop.ts';

/** Often enough that no second is skipped. */
const TICK_MS = 250;
/** After the end of a step, until the server shows the one after. */
const ASK_AGAIN_MS = 10_000;

/** By the clock of the server: that of the device may be wrong. */
export function Countdown({ first }: { readonly first: ShownDrop }) {
  const [shown, setShown] = useState<ShownDrop | null>(first);
  const leftMs = useTimeLeft(shown ?? first);
  const isOver = leftMs <= 0;
  const isQuiet = useQuietMode().state !== 'off';

  useEffect(() => {
    const ask = () => void fetchDrop().then(setShown, () => undefined);
    // A device that slept, and a time that was changed meanwhile.
    const askWhenVisible = () => document.visibilityState === 'visible' && ask();
    document.addEventListener('visibilitychange', askWhenVisible);
    const timer = isOver ? setInterval(ask, ASK_AGAIN_MS) : undefined;
    return () => {
      document.removeEventListener('visibilitychange', askWhenVisible);
      clearInterval(timer);
    };
  }, [isOver]);

  if (!shown?.next_step) return null;
  const { step, at } = shown.next_step;
  return (
    <aside className="next-step label" aria-label="Next">
      <p>
        {STEP_WORDS[step]}{' '}
        {isOver ? (
          'any moment now'
        ) : (
          <>
            in{' '}
            <span className="charged" aria-hidden="true" data-left>
              {writeLeft(leftMs, !isQuiet)}
            </span>
          </>
        )}
      </p>
      <p>
        <time dateTime={at}>{writeMoment(at)}</time>{' '}
        <a href={pagePaths.calendar()} download>
          Add to calendar
        </a>
      </p>
      <p className="visually-hidden" role="status">
        {STEP_WORDS[step]} {sayLeft(leftMs)}
      </p>
    </aside>
  );
}

function useTimeLeft({ next_step: step, now = '', receivedAt }: ShownDrop): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(step?.at ?? now) - Date.parse(now) - (performance.now() - receivedAt);
}

/** "Sat 5 Dec, 18:00 Central European Standard Time", in the visitor's time zone. */
function writeMoment(iso: string): string {
  const format = new Intl.DateTimeFormat(brand.language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'long',
  });
  return format.format(new Date(iso));
}
