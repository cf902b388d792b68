/** Databases of made-up members, one a size, made when first asked for and kept for the run. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { createDatabase, dropDatabase } from '../test/support/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgres-server.ts';
import type { Place } from './floor-process.ts';

const GENERATOR = fileURLToPath(new URL('generate.ts', import.meta.url));
const run = promisify(execFile);

export type Filled = Place & { readonly members: number; readonly fillSeconds: number };

/** Made-up members in a new database at `place`. */
export async function generate(place: Place, members: number): Promise<Filled> {
  const url = place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl];
  const words = [GENERATOR, '--members', String(members), '--data-dir', place.dataDir, ...url];
  const { stdout } = await run(process.execPath, words);
  return { ...place, members, fillSeconds: (JSON.parse(stdout) as { seconds: number }).seconds };
}

export type PostgresSizes = {
  readonly description: string;
  /** Of an empty database. */
  createEmpty(name: string): Promise<Place>;
  /** The database of that size: the same one at each call, to be left as it is by whoever is not the last to use it. */
  of(members: number): Promise<Filled>;
  /** Its members in a database of one's own. */
  copyOf(members: number): Promise<Filled>;
  drop(place: Place): Promise<void>;
  stop(): Promise<void>;
};

/**
 * What every guide sets first; PostgreSQL's defaults are for the smallest machine there is. The floors have the same. Statements are
 * counted in a database that asks for it alone.
 */
const POSTGRES_SETTINGS = {
  shared_buffers: '4GB',
  max_wal_size: '8GB',
  shared_preload_libraries: 'pg_stat_statements',
  compute_query_id: 'off',
  'pg_stat_statements.track': 'none',
};

/** On a PostgreSQL of their own that waits for the disk. */
export async function openPostgresSizes(folder: string): Promise<PostgresSizes> {
  const postgres = await startPostgres({ isDurable: true, settings: POSTGRES_SETTINGS });
  const filled = new Map<number, Promise<Filled>>();
  let copies = 0;

  async function createEmpty(name: string): Promise<Place> {
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { recursive: true });
    return { dataDir, databaseUrl: (await createDatabase(postgres.url)).url };
  }

  async function fill(members: number): Promise<Filled> {
    const place = await createEmpty(`postgres-${members}`);
    await setRoomForLog(postgres, '16GB');
    try {
      return await generate(place, members);
    } finally {
      await setRoomForLog(postgres, null);
    }
  }

  function of(members: number): Promise<Filled> {
    const database = filled.get(members) ?? fill(members);
    filled.set(members, database);
    return database;
  }

  return {
    description: postgres.description,
    createEmpty,
    of,
    async copyOf(members) {
      const original = await of(members);
      copies += 1;
      const dataDir = join(folder, `postgres-${members}-copy-${copies}`);
      mkdirSync(dataDir);
      const { url } = await createDatabase(postgres.url, nameOf(original));
      return { ...original, dataDir, databaseUrl: url };
    },
    drop: (place) => dropDatabase(postgres.url, nameOf(place)),
    stop: () => postgres.stop(),
  };
}

function nameOf({ databaseUrl }: Place): string {
  return new URL(databaseUrl ?? '').pathname.slice(1);
}

/** Ten million members at once write more than PostgreSQL keeps between checkpoints by default; null: the default again, and nothing pending. */
async function setRoomForLog({ url }: PostgresServer, size: string | null): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(size === null ? 'alter system reset max_wal_size' : `alter system set max_wal_size = '${size}'`);
  await client.query('select pg_reload_conf()');
  if (size === null) await client.query('checkpoint');
  await client.end();
}
