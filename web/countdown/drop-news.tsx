/** Notice and countdown of the drop: a chunk that loads only when there is news. */
import { useEffect, useState } from 'react';
import { STEP_WORDS } from '../../contract/drop/step-words.ts';
import { pagePaths } from '../../contract/paths.ts';
import { useQuietMode } from '../browser/quiet-mode.ts';
import { sayLeft, writeLeft } from './clock-rules.ts';
import { fetchDrop, type ShownDrop } from './fetch-drop.ts';
import { useTimeLeft, writeMoment } from './use-time-left.ts';

const PAUSED = 'data-paused';

export function DropNews({ first }: { readonly first: ShownDrop }) {
  const { next_step: step, paused = null, state = 'open' } = first;
  // The page of a member has a section about the drop.
  const isForVisitors = document.querySelector('.join-form') !== null;

  useEffect(() => {
    document.documentElement.toggleAttribute(PAUSED, paused !== null);
    return () => void document.documentElement.removeAttribute(PAUSED);
  }, [paused]);

  return (
    <>
      {isForVisitors && (paused !== null || state !== 'open') && (
        <aside className="drop-notice" aria-label="The drop">
          <p>{paused ?? describeDrop(state)}</p>
          {state !== 'open' && (
            <p>
              <a href={pagePaths.draw}>See the frozen list and the draw</a>
            </p>
          )}
        </aside>
      )}
      {step && <Countdown first={first} />}
    </>
  );
}

function describeDrop(state: ShownDrop['state']): string {
  return state === 'closed'
    ? 'This drop is over. Join now, and you are in line for the next one.'
    : 'The order of this drop is fixed. Join now, and your place counts for the next one.';
}

const ASK_AGAIN_MS = 10_000;

function Countdown({ first }: { readonly first: ShownDrop }) {
  const [shown, setShown] = useState<ShownDrop | null>(first);
  const { next_step: next, now = '', receivedAt } = shown ?? first;
  const leftMs = useTimeLeft(next?.at ?? now, { now, receivedAt });
  const isOver = leftMs <= 0;
  const isQuiet = useQuietMode().state !== 'off';

  useEffect(() => {
    const ask = () => void fetchDrop().then(setShown, () => undefined);
    // The device may have slept, and the time may have been changed meanwhile.
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
  const [clock, days] = writeLeft(leftMs, !isQuiet).split(' d ').reverse();
  return (
    <aside className="next-step label" aria-label="Next">
      <p>
        <span>{`${STEP_WORDS[step]} ${isOver ? sayLeft(leftMs) : 'in'}`}</span>{' '}
        {!isOver && (
          <span className="charged dot-number" aria-hidden="true">
            {days && <span>{days}</span>}
            {days && <small> d </small>}
            <span>{clock}</span>
          </span>
        )}
      </p>
      <p>
        <time dateTime={at}>{writeMoment(at, 'long')}</time>{' '}
        <a href={pagePaths.calendar} download>
          Add to calendar
        </a>
      </p>
      <p className="visually-hidden" role="status">
        {`${STEP_WORDS[step]} ${sayLeft(leftMs)}`}
      </p>
    </aside>
  );
}
