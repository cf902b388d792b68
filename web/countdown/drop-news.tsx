/** Loaded only when there is something to know of the drop. */
import { useEffect } from 'react';
import { pagePaths } from '../../contract/paths.ts';
import { Countdown } from './countdown.tsx';
import type { ShownDrop } from './fetch-drop.ts';

/** In the document: styles hide the form while nobody can join. */
const PAUSED = 'data-paused';

export function DropNews({ first }: { readonly first: ShownDrop }) {
  const { next_step: step, paused = null, state = 'open' } = first;
  // Members read on their own page where they stand.
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
              <a href={pagePaths.draw()}>See the frozen list and the draw</a>
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
    : 'The order of this drop is fixed. Join now, and you are in line for the next one.';
}
