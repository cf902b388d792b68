import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 25;

/** A task that the server runs at an interval. */
export type ScheduledWork = {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
};

/**
 * Runs the work at its interval; returns a function that stops it and waits for a run under way.
 */
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

/**
 * Await this between the parts of long work. The embedded engine does not yield to the event loop,
 * so parts without a pause keep everybody waiting like one long statement.
 */
export async function letOthersIn(): Promise<void> {
  await pause(PAUSE_MS);
}
