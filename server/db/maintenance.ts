import type { Database } from './database.ts';
import { openUpkeep } from './embedded/embedded-upkeep.ts';
import { repeat, type ScheduledWork } from './scheduled-work.ts';

export type Maintenance = {
  /** Starts nothing more and waits for running work. Call it before the database is closed. */
  stop(): Promise<void>;
};

/**
 * Runs `work` on its schedule, and on the embedded engine what PostgreSQL's background processes
 * would do. Runs of one work never overlap. A failed one goes to `onError` and is tried again at
 * the next interval.
 */
export function startMaintenance(options: {
  database: Database;
  dataDir: string;
  work?: readonly ScheduledWork[];
  onError: (name: string, error: unknown) => void;
}): Maintenance {
  const upkeep = options.database.engine === 'embedded' ? [openUpkeep(options)] : [];
  const stops = [...upkeep, ...(options.work ?? [])].map((work) => repeat(work, options.onError));
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
