/** Limits of processor and memory around some processes: Linux's control groups, v1 or v2. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type Usage = {
  readonly processorSeconds: number;
  readonly maxMemoryBytes: number;
  /** Of the periods in which something ran, those in which more would have run. */
  readonly throttledShare: number;
};

export type SmallMachine = {
  /** A process that writes its id to each of these files is on the machine. */
  readonly doors: readonly string[];
  enter(pids: readonly number[]): void;
  read(): Usage;
  /** When its last process has ended. */
  remove(): Promise<void>;
};

type Limits = { readonly processors: number; readonly megabytes: number };

const GROUPS = '/sys/fs/cgroup';
const NAME = `waitlist-bench-${process.pid}`;
const PERIOD_US = 100_000;

/** Throws where control groups cannot be made. */
export function openSmallMachine(limits: Limits): SmallMachine {
  const isUnified = existsSync(join(GROUPS, 'cgroup.controllers'));
  const { folders, read } = isUnified ? makeUnified(limits) : makeSeparate(limits);
  const doors = folders.map((folder) => join(folder, 'cgroup.procs'));
  return {
    doors,
    enter(pids) {
      for (const pid of pids) for (const door of doors) moveIn(door, pid);
    },
    read,
    async remove() {
      for (const folder of folders) {
        while (readFileSync(join(folder, 'cgroup.procs'), 'utf8') !== '') await pause(20);
        rmdirSync(folder);
      }
    },
  };
}

function moveIn(door: string, pid: number): void {
  try {
    writeFileSync(door, String(pid));
  } catch (error) {
    // PostgreSQL's processes end when their client has left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Version 2: one folder with all limits. */
function makeUnified({ processors, megabytes }: Limits) {
  writeFileSync(join(GROUPS, 'cgroup.subtree_control'), '+cpu +memory');
  const folder = join(GROUPS, NAME);
  mkdirSync(folder);
  writeFileSync(join(folder, 'cpu.max'), `${processors * PERIOD_US} ${PERIOD_US}`);
  writeFileSync(join(folder, 'memory.max'), String(megabytes * 2 ** 20));
  const read = () => ({
    processorSeconds: field(join(folder, 'cpu.stat'), 'usage_usec') / 1e6,
    maxMemoryBytes: Number(readFileSync(join(folder, 'memory.peak'), 'utf8')),
    throttledShare: throttledShare(join(folder, 'cpu.stat')),
  });
  return { folders: [folder], read };
}

/** Version 1: one folder a limit. */
function makeSeparate({ processors, megabytes }: Limits) {
  const folderOf = (kind: string) => join(GROUPS, kind, NAME);
  const [cpu, account, memory] = [folderOf('cpu'), folderOf('cpuacct'), folderOf('memory')];
  const folders = [cpu, account, memory];
  for (const folder of folders) mkdirSync(folder);
  writeFileSync(join(cpu, 'cpu.cfs_period_us'), String(PERIOD_US));
  writeFileSync(join(cpu, 'cpu.cfs_quota_us'), String(processors * PERIOD_US));
  writeFileSync(join(memory, 'memory.limit_in_bytes'), String(megabytes * 2 ** 20));
  const read = () => ({
    processorSeconds: Number(readFileSync(join(account, 'cpuacct.usage'), 'utf8')) / 1e9,
    maxMemoryBytes: Number(readFileSync(join(memory, 'memory.max_usage_in_bytes'), 'utf8')),
    throttledShare: throttledShare(join(cpu, 'cpu.stat')),
  });
  return { folders, read };
}

function throttledShare(file: string): number {
  const periods = field(file, 'nr_periods');
  return periods === 0 ? 0 : field(file, 'nr_throttled') / periods;
}

function field(file: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
}
