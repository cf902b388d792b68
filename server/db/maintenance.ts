import type { Database } from './database.ts';
import { openUpkeep } from './embedded-upkeep.ts';

/** Something that is done again and again while the server runs. */
export type ScheduledWork = {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
};

export type Maintenance = {
  /** Starts nothing more and waits for what runs. Call it before the database is closed. */
  stop(): Promise<void>;
};

/**
 * Runs `work` on its schedules, and on the embedded engine what PostgreSQL's background processes would do. A run that takes
 * longer than its interval is not overtaken; one that fails is told to `onError` and tried again at its next time.
 */
export function startMaintenance(options: {
  database: Database;
  work?: readonly ScheduledWork[];
  onError: (name: string, error: unknown) => void;
}): Maintenance {
  const upkeep = options.database.engine === 'embedded' ? [openUpkeep(options.database)] : [];
  const stops = [...upkeep, ...(options.work ?? [])].map((work) => repeat(work, options.onError));
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

function repeat(work: ScheduledWork, onError: (name: string, error: unknown) => void): () => Promise<void> {
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
