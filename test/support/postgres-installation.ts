/**
 * PostgreSQL's programs on a data directory of the caller's, to start, freeze and kill it at will.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from './postgres-binaries.ts';

const START_DEADLINE_MS = 120_000;

type PostgresStart = {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly settings?: Readonly<Record<string, string | number>>;
};

export type PostgresProcess = ReturnType<typeof processesOf>;

/** Puts the programs into `folder`, unless they are there, for the user that runs them to read. */
export function installPostgres(folder: string) {
  const { binDir, description } = findPostgres(folder);
  const runAs = unprivilegedUser();
  const options = { ...runAs, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  if (runAs !== null) chownSync(folder, runAs.uid, runAs.gid);

  const template = join(folder, 'template');
  const passwordFile = join(folder, 'password');

  /** Once: `initdb` takes more processor time than anything else about an empty database. */
  function makeTemplate(): void {
    mkdirSync(template);
    adopt(template);
    writeFileSync(passwordFile, randomBytes(16).toString('hex'));
    execFileSync(
      join(binDir, 'initdb'),
      [
        ...['-D', template, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
        ...['-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
      ],
      { ...options, stdio: 'pipe' },
    );
  }

  function adopt(dataDir: string): void {
    if (runAs !== null) execFileSync('chown', ['-R', `${runAs.uid}:${runAs.gid}`, dataDir]);
  }

  return {
    /** Version and source, for people. */
    description,
    /** Makes an empty data directory, without fsync; returns its superuser's password. */
    initialize(dataDir: string) {
      if (!existsSync(template)) makeTemplate();
      cpSync(template, dataDir, { recursive: true });
      chmodSync(dataDir, 0o700);
      adopt(dataDir);
      return readFileSync(passwordFile, 'utf8');
    },
    /** Gives a data directory that was assembled by hand to the user that runs PostgreSQL. */
    adopt,
    /** Starts it; resolves when it takes connections. */
    async start({ dataDir, port, password, settings = {} }: PostgresStart) {
      const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...settings };
      const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const child = spawn(join(binDir, 'postgres'), ['-D', dataDir, ...flags], {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
      await untilItAnswers(url, child);
      return processesOf(child, url);
    },
  };
}

function processesOf(child: ChildProcess, url: string) {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let frozen: number[] = [];

  /** SIGSTOP to all, the parent first: it would restart its children. Nothing is flushed. */
  function freeze(): void {
    child.kill('SIGSTOP');
    frozen = childrenOf(child.pid ?? 0);
    for (const pid of frozen) signal(pid, 'SIGSTOP');
  }

  return {
    /** Connects a superuser to the database `postgres`. */
    url,
    hasEnded,
    freeze,
    thaw() {
      for (const pid of frozen) signal(pid, 'SIGCONT');
      child.kill('SIGCONT');
    },
    async stop() {
      if (hasEnded()) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
    /** SIGKILL to all its processes; resolves when none is left. */
    async kill() {
      if (hasEnded()) return;
      freeze();
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      for (const pid of frozen) signal(pid, 'SIGKILL');
      await exited;
      // The next start refuses a data directory whose shared memory a child still holds.
      while (areRunning(frozen)) await delay(10);
    },
  };
}

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** A zombie holds nothing any more, and a container may have no process that collects it. */
function areRunning(pids: readonly number[]): boolean {
  if (pids.length === 0) return false;
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pids.join(',')], { encoding: 'utf8' });
  return stdout.split('\n').some((state) => /^[^Z\s]/.test(state.trim()));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has exited meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** PostgreSQL refuses to run as root; then the user nobody runs it. */
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
      if (server.exitCode !== null || Date.now() > deadline)
        throw new Error(said, { cause: error });
      await delay(50);
    }
  }
}
