/** A server with its own database, both durable, to start and kill at will. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import type { Engine } from '../support/engines.ts';
import { installPostgres, type PostgresProcess } from '../support/postgres-installation.ts';
import { freePort, type ServerProcess, startServer } from '../support/server-process.ts';
import { type ReadLine, readLine } from './read-line.ts';

export type Machine = Awaited<ReturnType<typeof createMachine>>;

const CHECKPOINT_EVERY_MS = 150;
const OFTEN = new URL('./checkpoint-often.ts', import.meta.url).href;
/** A WAL so small that its files are reused all the time. */
const POSTGRES_SETTINGS = { max_wal_size: '64MB', min_wal_size: '32MB', checkpoint_timeout: '30s' };

/**
 * Prepares the data in `folder`, which every user may enter. Checkpoints come every moment.
 * `settings` are further ones of the server.
 */
export async function createMachine(
  engine: Engine,
  folder: string,
  { settings = {} }: { readonly settings?: Readonly<Record<string, string>> } = {},
) {
  const dataDir = join(folder, 'data');
  if (engine === 'embedded') cpSync(inject('embeddedTemplate'), dataDir, { recursive: true });
  else mkdirSync(dataDir, { mode: 0o700 });
  const postgresDir = join(folder, 'postgres');
  const postgres = engine === 'postgres' ? await preparePostgres(postgresDir) : null;
  const databaseUrl = postgres?.url ?? null;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let server: ServerProcess | undefined;

  const machine = {
    dataDir,
    /** Connects a superuser; null with the embedded database. */
    databaseUrl,
    /** The address of the server, over restarts. */
    url,
    /** Does nothing for the embedded database, as the next ones. */
    startDatabase: async () => postgres?.start(),
    killDatabase: async () => postgres?.running()?.kill(),
    freezeDatabase: () => postgres?.running()?.freeze(),
    thawDatabase: () => postgres?.running()?.thaw(),
    /** Resolves when the server is ready. */
    async startServer() {
      server = await startServer({
        PORT: String(port),
        DATA_DIR: dataDir,
        LIMITS: 'off',
        ...(databaseUrl === null
          ? { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${OFTEN}` }
          : { DATABASE_URL: databaseUrl }),
        ...settings,
      });
      await untilReady(url);
    },
    output: () => server?.output() ?? '',
    /** Restarts what has exited by itself, as a supervisor does, and returns what that was. */
    async revive(): Promise<('database' | 'server')[]> {
      const revived: ('database' | 'server')[] = [];
      if (postgres?.running()?.hasEnded()) {
        await postgres.start();
        revived.push('database');
      }
      if (server !== undefined && !isRunning(server.pid)) {
        await machine.startServer();
        revived.push('server');
      }
      return revived;
    },
    async killServer() {
      await server?.kill();
      server = undefined;
    },
    /** SIGSTOP to all processes. */
    freeze() {
      if (server !== undefined) process.kill(server.pid, 'SIGSTOP');
      postgres?.running()?.freeze();
    },
    /** Stops everything gracefully. */
    async stop() {
      const exitCode = (await server?.stop()) ?? 0;
      if (exitCode !== 0) throw new Error(`The server ended with ${exitCode}: ${server?.output()}`);
      server = undefined;
      await postgres?.running()?.stop();
    },
    /** The line, first to last, and what `npm run verify` finds once everything has stopped. */
    async readLine(): Promise<ReadLine> {
      await postgres?.start();
      try {
        return await readLine({ dataDir, databaseUrl });
      } finally {
        await postgres?.running()?.stop();
      }
    },
    /** Kills what still runs. */
    async remove(): Promise<void> {
      await machine.killServer();
      await machine.killDatabase();
      postgres?.remove();
    },
  };
  return machine;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves when the server is ready. */
export async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) await delay(20);
}

/**
 * Its data in `dataDir`, its programs elsewhere: the disk of the data may be tiny or lose power.
 */
async function preparePostgres(dataDir: string) {
  const shared = inject('postgresFolder');
  const programs = shared ?? mkdtempSync(join(tmpdir(), 'waitlist-postgres-'));
  const installation = installPostgres(programs);
  const password = installation.initialize(dataDir);
  const port = await freePort();
  let running: PostgresProcess | undefined;
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    running: () => running,
    async start() {
      running = await installation.start({
        dataDir,
        port,
        password,
        settings: POSTGRES_SETTINGS,
      });
      void checkpointOften(running.url);
    },
    remove() {
      if (shared === null) rmSync(programs, { recursive: true });
    },
  };
}

/** Until the database is stopped or killed. */
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
    // Stopped or killed.
  }
}
