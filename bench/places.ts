import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, dropDatabase } from '../test/support/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgres-server.ts';
import type { Place } from './checkout.ts';
import { childrenOf } from './load/processor-time.ts';

export const ENGINES = ['embedded', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

/** The bench requests its own checkpoints, so neither time nor WAL may cause one. */
const POSTGRES_SETTINGS = { shared_buffers: '4GB', max_wal_size: '24GB', checkpoint_timeout: '1h' };

export function openPlaces() {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
  const places: Place[] = [];
  let made = 0;
  let postgres: Promise<PostgresServer> | null = null;
  return {
    async create(engine: Engine): Promise<Place> {
      made += 1;
      const dataDir = join(folder, `${engine}-${made}`);
      mkdirSync(dataDir, { mode: 0o700 });
      let databaseUrl: string | null = null;
      if (engine === 'postgres') {
        postgres ??= startPostgres({ isDurable: true, settings: POSTGRES_SETTINGS });
        databaseUrl = (await createDatabase((await postgres).url)).url;
      }
      const place = { dataDir, databaseUrl };
      places.push(place);
      return place;
    },
    async clear() {
      for (const { dataDir, databaseUrl } of places.splice(0)) {
        if (databaseUrl !== null && postgres !== null)
          await dropDatabase((await postgres).url, new URL(databaseUrl).pathname.slice(1));
        rmSync(dataDir, { recursive: true });
      }
    },
    async stop() {
      await (await postgres)?.stop();
      for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
