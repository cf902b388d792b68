import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 25;

export type ScheduledWork = {
  readonly name: string;
  readonly everyMs: number;
  /** Sends or sells something, which a possible copy of the line must not. */
  readonly acts?: true;
  run(): Promise<unknown>;
};

/** Returns a function that stops the work, and waits for what is under way. */
export function repeat(
  work: readonly ScheduledWork[],
  onError: (name: string, error: unknown) => void,
): () => Promise<void> {
  const running = new Map<ScheduledWork, Promise<unknown>>();
  const timers = work.map((job) =>
    setInterval(() => {
      if (running.has(job)) return;
      const run = job
        .run()
        .catch((error: unknown) => onError(job.name, error))
        .finally(() => running.delete(job));
      running.set(job, run);
    }, job.everyMs).unref(),
  );
  return async () => {
    timers.forEach(clearInterval);
    await Promise.all(running.values());
  };
}

/** Await this between parts of long work: the embedded engine blocks the event loop. */
export async function letOthersIn(): Promise<void> {
  await pause(PAUSE_MS);
}

export async function* partsOf<Item>(
  items: readonly Item[],
  size: number,
  rest = letOthersIn,
): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await rest();
    yield items.slice(from, from + size);
  }
}
