import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from './postgres-binaries.ts';
import { freePort } from './server-process.ts';

const START_DEADLINE_MS = 60_000;

export type PostgresServer = {
  /** Of a superuser, to the database `postgres`. */
  readonly url: string;
  /** Version and source, for people. */
  readonly description: string;
  stop(): Promise<void>;
};

/**
 * Starts a new, empty PostgreSQL on a free loopback port in a folder of its own. Throws when none can be had.
 * Without `isDurable` it does not wait for the disk, which tests need not.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-postgres-'));
  let server: ChildProcess | undefined;
  async function stop(): Promise<void> {
    if (server !== undefined && server.exitCode === null) {
      server.kill('SIGINT');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    const { binDir, description } = findPostgres(folder);
    const runAs = unprivilegedUser();
    const options = { ...runAs, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
    if (runAs !== null) chownSync(folder, runAs.uid, runAs.gid);

    const password = randomBytes(16).toString('hex');
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password);
    const dataDir = join(folder, 'data');
    const initArguments = ['-D', dataDir, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(binDir, 'initdb'), [...initArguments, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`], {
      ...options,
      stdio: 'pipe',
    });

    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      max_connections: 200,
      ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(binDir, 'postgres'), ['-D', dataDir, ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    await untilItAnswers(url, server);
    return { url, description, stop };
  } catch (error) {
    await stop();
    throw new Error('The PostgreSQL for the tests could not be started.', { cause: error });
  }
}

/** PostgreSQL refuses to run as root: there, another user of the machine runs it. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  let said = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error(said, { cause: error });
      await delay(50);
    }
  }
}
