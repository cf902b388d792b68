/** PostgreSQL databases of made-up members, one a size and checkout, made when first asked for. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, dropDatabase } from '../test/support/postgres-databases.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { type Checkout, type Filled, fill, type Place } from './checkout.ts';

export type PostgresSizes = {
  readonly description: string;
  createEmpty(name: string): Promise<Place>;
  /** The database of that size, to be left as it is. */
  of(checkout: Checkout, members: number): Promise<Filled>;
  /** The same members in a database to change. */
  copyOf(checkout: Checkout, members: number): Promise<Filled>;
  /** The database itself, to change: for sizes too large to copy. The next call fills another. */
  take(checkout: Checkout, members: number): Promise<Filled>;
  drop(place: Place): Promise<void>;
  stop(): Promise<void>;
};

/**
 * What every guide sets first; the defaults are for the smallest machine there is. The bench alone
 * asks for checkpoints, so neither time nor WAL may.
 */
const POSTGRES_SETTINGS = {
  shared_buffers: '4GB',
  max_wal_size: '24GB',
  checkpoint_timeout: '1h',
  shared_preload_libraries: 'pg_stat_statements',
  compute_query_id: 'off',
  'pg_stat_statements.track': 'none',
};

/** On a PostgreSQL of its own that waits for the disk. */
export async function openPostgresSizes(folder: string): Promise<PostgresSizes> {
  const postgres = await startPostgres({ isDurable: true, settings: POSTGRES_SETTINGS });
  const filled = new Map<string, Promise<Filled>>();
  let made = 0;

  function makeFolder(name: string): string {
    made += 1;
    const dataDir = join(folder, `${name}-${made}`);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return dataDir;
  }

  async function createEmpty(name: string): Promise<Place> {
    const { url } = await createDatabase(postgres.url);
    return { dataDir: makeFolder(name), databaseUrl: url };
  }

  async function fillNew(checkout: Checkout, members: number): Promise<Filled> {
    return await fill(checkout, await createEmpty(`postgres-${members}`), members);
  }

  const keyOf = (checkout: Checkout, members: number) => `${checkout.root} ${members}`;

  async function of(checkout: Checkout, members: number): Promise<Filled> {
    const key = keyOf(checkout, members);
    const database = filled.get(key) ?? fillNew(checkout, members);
    filled.set(key, database);
    return await database;
  }

  return {
    description: postgres.description,
    createEmpty,
    of,
    async copyOf(checkout, members) {
      const original = await of(checkout, members);
      const { url } = await createDatabase(postgres.url, nameOf(original));
      return { ...original, dataDir: makeFolder(`postgres-${members}-copy`), databaseUrl: url };
    },
    async take(checkout, members) {
      const taken = await of(checkout, members);
      filled.delete(keyOf(checkout, members));
      return taken;
    },
    drop: (place) => dropDatabase(postgres.url, nameOf(place)),
    stop: () => postgres.stop(),
  };
}

function nameOf({ databaseUrl }: Place): string {
  return new URL(databaseUrl ?? '').pathname.slice(1);
}
