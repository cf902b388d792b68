/** Measures on each engine in turn, in a folder and with a PostgreSQL that go afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../test/support/postgres-databases.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import type { Place } from '../checkout.ts';

/** An empty place on the engine; with a name, another one. */
export type NewPlace = (name?: string) => Promise<Place>;

/** `engines`: `embedded` or `postgres`, in the order in which they are measured. */
export async function onEngines(
  engines: readonly string[],
  measure: (engine: string, newPlace: NewPlace) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
  const dataDirOf = (engine: string, name: string) => join(folder, `${engine}-${name}`);
  try {
    for (const engine of engines) {
      if (engine === 'embedded') {
        await measure(engine, async (name = '') => ({
          dataDir: dataDirOf(engine, name),
          databaseUrl: null,
        }));
        continue;
      }
      const postgres = await startPostgres({ isDurable: true, settings });
      try {
        await measure(engine, async (name = '') => ({
          dataDir: dataDirOf(engine, name),
          databaseUrl: (await createDatabase(postgres.url)).url,
        }));
      } finally {
        await postgres.stop();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
