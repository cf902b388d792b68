import type { Database } from './database.ts';
import { openUpkeep } from './embedded/embedded-upkeep.ts';
import { repeat, type ScheduledWork } from './scheduled-work.ts';

type MaintenanceOptions = {
  readonly database: Database;
  readonly dataDir: string;
  readonly work: readonly ScheduledWork[];
  readonly onError: (name: string, error: unknown) => void;
};

/** Returns a function that stops it and waits for running work. */
export function startMaintenance(options: MaintenanceOptions): () => Promise<void> {
  const upkeep = options.database.engine === 'embedded' ? [openUpkeep(options)] : [];
  const stops = [...upkeep, ...options.work].map((work) => repeat(work, options.onError));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
