import type { Database } from './database.ts';
import { openUpkeep } from './embedded/embedded-upkeep.ts';
import { repeat, type ScheduledWork } from './scheduled-work.ts';

export type Maintenance = {
  /** Waits for running work. Call it before the database is closed. */
  stop(): Promise<void>;
};

/**
 * Runs `work` on schedule, and on the embedded engine the upkeep that PostgreSQL does in the
 * background. A failure goes to `onError`, and the next interval tries again.
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
