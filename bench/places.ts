import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../test/support/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgres-server.ts';
import { childrenOf } from './load/processor-time.ts';

export const ENGINES = ['embedded', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export type Place = { readonly dataDir: string; readonly databaseUrl: string | null };

/** The bench requests its own checkpoints, so neither time nor WAL may cause one. */
const POSTGRES_SETTINGS = { shared_buffers: '4GB', max_wal_size: '24GB', checkpoint_timeout: '1h' };

/** Empty databases for one part. `stop` ends every process that the part has started. */
export function openPlaces() {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
  let made = 0;
  let postgres: Promise<PostgresServer> | null = null;
  return {
    async create(engine: Engine): Promise<Place> {
      made += 1;
      const dataDir = join(folder, `${engine}-${made}`);
      mkdirSync(dataDir, { mode: 0o700 });
      if (engine === 'embedded') return { dataDir, databaseUrl: null };
      postgres ??= startPostgres({ isDurable: true, settings: POSTGRES_SETTINGS });
      return { dataDir, databaseUrl: (await createDatabase((await postgres).url)).url };
    },
    async stop() {
      await (await postgres)?.stop();
      for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
