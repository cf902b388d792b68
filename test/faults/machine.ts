/** A server and its database on one disk, started and ended as one, as on a machine whose power is cut. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Engine } from '../support/engines.ts';
import { installPostgres, type PostgresProcess } from '../support/postgres-installation.ts';
import { freePort, type ServerProcess, startServer } from '../support/server-process.ts';

export type Machine = {
  readonly place: { readonly dataDir: string; readonly databaseUrl: string | null };
  /** Of the server; set once `start` was called. */
  readonly url: string;
  /** Starts the database alone: the embedded one needs no starting. */
  startDatabase(): Promise<void>;
  stopDatabase(): Promise<void>;
  /** Starts both; answers when the server is open. */
  start(): Promise<void>;
  freeze(): void;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Call it when all is stopped or killed. */
  remove(): void;
};

const CHECKPOINT_EVERY_MS = 150;
const OFTEN = new URL('./checkpoint-often.ts', import.meta.url).href;
/** Durable as it comes, with a log so small that it is used again all the time. */
const POSTGRES_SETTINGS = { max_wal_size: '64MB', min_wal_size: '32MB', checkpoint_timeout: '30s' };

/** Prepares the data in `folder`. The checkpoints and log switches of months come within seconds. */
export async function createMachine(engine: Engine, folder: string): Promise<Machine> {
  const dataDir = join(folder, 'data');
  if (engine === 'embedded') cpSync(inject('embeddedTemplate'), dataDir, { recursive: true });
  else mkdirSync(dataDir, { mode: 0o700 });
  const postgres = engine === 'postgres' ? await preparePostgres(join(folder, 'postgres')) : null;
  const port = await freePort();
  const place = { dataDir, databaseUrl: postgres?.url ?? null };
  let server: ServerProcess | undefined;

  return {
    place,
    url: `http://127.0.0.1:${port}`,
    startDatabase: async () => postgres?.start(),
    stopDatabase: async () => postgres?.running()?.stop(),
    async start() {
      await postgres?.start();
      server = await startServer({
        PORT: String(port),
        DATA_DIR: dataDir,
        LIMITS: 'off',
        ...(place.databaseUrl === null
          ? { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${OFTEN}` }
          : { DATABASE_URL: place.databaseUrl }),
      });
    },
    freeze() {
      if (server !== undefined) process.kill(server.pid, 'SIGSTOP');
      postgres?.running()?.freeze();
    },
    async kill() {
      await server?.kill();
      await postgres?.running()?.kill();
    },
    async stop() {
      const exitCode = await server?.stop();
      await postgres?.running()?.stop();
      if (exitCode !== 0) throw new Error(`The server ended with ${exitCode}: ${server?.output()}`);
    },
    remove: () => postgres?.remove(),
  };
}

/** Its programs in a folder elsewhere, its data where it is told. */
async function preparePostgres(dataDir: string) {
  const programs = mkdtempSync(join(tmpdir(), 'waitlist-postgres-'));
  const installation = installPostgres(programs);
  const password = installation.initialize(dataDir);
  const port = await freePort();
  let running: PostgresProcess | undefined;
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    running: () => running,
    async start() {
      running = await installation.start({ dataDir, port, password, settings: POSTGRES_SETTINGS });
      void checkpointOften(running.url);
    },
    remove: () => rmSync(programs, { recursive: true }),
  };
}

/** Until the database is gone. */
async function checkpointOften(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // The query that follows is rejected.
  try {
    await client.connect();
    for (;;) {
      await client.query('checkpoint');
      await client.query(`select pg_switch_wal(), pg_sleep(${CHECKPOINT_EVERY_MS / 1000})`);
    }
  } catch {
    // Stopped or killed: the next start has its own.
  }
}
