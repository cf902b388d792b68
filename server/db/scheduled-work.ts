import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 25;

export type ScheduledWork = {
  readonly name: string;
  readonly everyMs: number;
  /** Sends or sells something, which a possible copy of the line must not. */
  readonly acts?: true;
  run(): Promise<void>;
};

export function repeat(
  work: ScheduledWork,
  onError: (name: string, error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work
      .run()
      .catch((error: unknown) => onError(work.name, error))
      .finally(() => {
        running = null;
      });
  }, work.everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Await this between parts of long work: the embedded engine blocks the event loop. */
export async function letOthersIn(): Promise<void> {
  await pause(PAUSE_MS);
}

export async function* partsOf<Item>(
  items: readonly Item[],
  size: number,
): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await letOthersIn();
    yield items.slice(from, from + size);
  }
}
