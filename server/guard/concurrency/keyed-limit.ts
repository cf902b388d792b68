/** A keyed concurrency limit: some pieces of work at once, one of each key, and a fair queue. */
import { Problem } from '../../problem.ts';
import { openFairQueue } from './fair-queue.ts';

type LimitOptions = { readonly maxAtOnce: number; readonly maxWaiting: number };

const RETRY_AFTER_SECONDS = 2;

export function openKeyedLimit({ maxAtOnce, maxWaiting }: LimitOptions) {
  type Waiting = { readonly key: string; readonly slot: PromiseWithResolvers<void> };
  const queue = openFairQueue<Waiting>(maxWaiting);
  const busy = new Set<string>();

  function startSome(): void {
    while (busy.size < maxAtOnce) {
      const next = queue.shift((key) => !busy.has(key));
      if (next === null) return;
      busy.add(next.key);
      next.slot.resolve();
    }
  }

  /** In a later phase of the event loop: a chain of promises would starve the next joins. */
  function release(key: string): void {
    busy.delete(key);
    startSome();
  }

  async function run<Result>(
    key: string,
    work: () => Promise<Result>,
    enqueue: (waiting: Waiting) => void,
  ): Promise<Result> {
    const waiting = { key, slot: Promise.withResolvers<void>() };
    enqueue(waiting);
    startSome();
    await waiting.slot.promise;
    try {
      return await work();
    } finally {
      setImmediate(release, key);
    }
  }

  return {
    take: <Result>(key: string, work: () => Promise<Result>) =>
      run(key, work, (waiting) => queue.push(key, waiting)?.slot.reject(tooManyWaiting())),
    /** Runs further work of the same request, before others of its key begin. */
    resume: <Result>(key: string, work: () => Promise<Result>) =>
      run(key, work, (waiting) => queue.putFirst(key, waiting)),
  };
}

function tooManyWaiting(): Problem {
  const detail = 'Too many people are here at once. Please try again in a moment.';
  return new Problem('too_busy', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
