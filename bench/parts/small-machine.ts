/** A machine of one processor and little memory: limits of Linux's control groups, of either version, around one process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/server-process.ts';

export type SmallMachine = {
  readonly port: number;
  /** What it has used so far. */
  read(): { readonly processorSeconds: number; readonly mostMemoryBytes: number; readonly throttledShare: number };
  /** Whether the server has ended by itself, for want of memory say. */
  hasEnded(): boolean;
  stop(): Promise<void>;
};

/** Processes that share the machine with the server, a database's say. */
export type Beside = { readonly pids: readonly number[]; stop(): Promise<void> };

type Limits = { readonly processors: number; readonly memoryBytes: number };

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const GROUPS = '/sys/fs/cgroup';
const NAME = `waitlist-bench-${process.pid}`;
const PERIOD_US = 100_000;

/**
 * Starts the server within the limits from its first instruction on; null when it ends instead of opening, for want of memory say. Throws
 * where control groups cannot be made.
 */
export async function startOnSmallMachine(
  settings: Readonly<Record<string, string>>,
  { beside, ...limits }: Limits & { readonly beside?: Beside },
): Promise<SmallMachine | null> {
  const group = existsSync(join(GROUPS, 'cgroup.controllers')) ? makeUnified(limits) : makeSeparate(limits);
  const doors = group.folders.map((folder) => join(folder, 'cgroup.procs'));
  for (const pid of beside?.pids ?? []) for (const door of doors) moveIn(door, pid);
  const port = await freePort();
  // The shell moves itself in, and becomes the server.
  const script = `for file; do echo $$ > "$file" || exit 1; done; exec "$NODE" "$MAIN"`;
  const child = spawn('sh', ['-c', script, 'sh', ...doors], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), NODE: process.execPath, MAIN, ...settings },
    stdio: 'ignore',
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  async function stop(): Promise<void> {
    await end(child);
    await beside?.stop();
    for (const folder of group.folders) {
      // A process of a PostgreSQL may end a moment after its first one.
      while (readFileSync(join(folder, 'cgroup.procs'), 'utf8') !== '') await pause(20);
      rmdirSync(folder);
    }
  }
  if (await answers(port, hasEnded)) return { port, read: group.read, hasEnded, stop };
  await stop();
  return null;
}

function moveIn(door: string, pid: number): void {
  try {
    writeFileSync(door, String(pid));
  } catch (error) {
    // It has ended meanwhile, as processes of PostgreSQL do when nobody is connected to them any more.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** False when it has ended first. */
async function answers(port: number, hasEnded: () => boolean): Promise<boolean> {
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok) {
    if (hasEnded()) return false;
    await pause(50);
  }
  return true;
}

/** Version 2: one folder with all limits. */
function makeUnified({ processors, memoryBytes }: Limits) {
  writeFileSync(join(GROUPS, 'cgroup.subtree_control'), '+cpu +memory');
  const folder = join(GROUPS, NAME);
  mkdirSync(folder);
  writeFileSync(join(folder, 'cpu.max'), `${processors * PERIOD_US} ${PERIOD_US}`);
  writeFileSync(join(folder, 'memory.max'), String(memoryBytes));
  return {
    folders: [folder],
    read: () => ({
      processorSeconds: field(join(folder, 'cpu.stat'), 'usage_usec') / 1e6,
      mostMemoryBytes: Number(readFileSync(join(folder, 'memory.peak'), 'utf8')),
      throttledShare: share(join(folder, 'cpu.stat')),
    }),
  };
}

/** Version 1: a folder a limit. */
function makeSeparate({ processors, memoryBytes }: Limits) {
  const [cpu, account, memory] = ['cpu', 'cpuacct', 'memory'].map((kind) => join(GROUPS, kind, NAME)) as [
    string,
    string,
    string,
  ];
  const folders = [...new Set([cpu, account, memory])];
  for (const folder of folders) mkdirSync(folder);
  writeFileSync(join(cpu, 'cpu.cfs_period_us'), String(PERIOD_US));
  writeFileSync(join(cpu, 'cpu.cfs_quota_us'), String(processors * PERIOD_US));
  writeFileSync(join(memory, 'memory.limit_in_bytes'), String(memoryBytes));
  return {
    folders,
    read: () => ({
      processorSeconds: Number(readFileSync(join(account, 'cpuacct.usage'), 'utf8')) / 1e9,
      mostMemoryBytes: Number(readFileSync(join(memory, 'memory.max_usage_in_bytes'), 'utf8')),
      throttledShare: share(join(cpu, 'cpu.stat')),
    }),
  };
}

/** Of the periods in which something ran, those in which more would have run. */
function share(file: string): number {
  const periods = field(file, 'nr_periods');
  return periods === 0 ? 0 : field(file, 'nr_throttled') / periods;
}

function field(file: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
}
