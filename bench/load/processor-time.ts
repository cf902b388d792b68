/** Processor time and memory of processes, as Linux keeps them in /proc; null elsewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

type ProcessorTimes = { readonly serverMs: number | null; readonly databaseMs: number | null };
export type ProcessorWatch = { read(): ProcessorTimes };

/** Of a server and, where it has one, of its PostgreSQL with all its processes. */
export function watchProcessors({ pid, postmaster }: { pid: number; postmaster: number | null }): ProcessorWatch {
  return {
    read: () => ({
      serverMs: spentMs(pid),
      databaseMs: postmaster === null ? null : spentByFamilyMs(postmaster),
    }),
  };
}

/** The first process of the PostgreSQL behind an address on this machine; null where /proc does not tell. */
export async function findPostmaster(databaseUrl: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = statOf(rows[0]?.pid ?? 0)?.parent ?? null;
  await client.end();
  return parent;
}

/** Milliseconds of processor time, its threads' included. */
function spentMs(pid: number): number | null {
  return statOf(pid)?.spentMs ?? null;
}

/** Proportional set size in bytes: memory that processes share is divided among them, so that sums are true. */
export function memoryBytes(pids: readonly number[]): number | null {
  const sizes = pids.map((pid) => readOrNull(`/proc/${pid}/smaps_rollup`)?.match(/^Pss: +(\d+) kB/m)?.[1]);
  if (sizes.some((size) => size === undefined)) return null;
  return sizes.reduce((sum, size) => sum + Number(size) * 1024, 0);
}

export function childrenOf(parent: number): number[] {
  if (!existsSync('/proc')) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => statOf(pid)?.parent === parent);
}

/** With the children that have ended, whose time their parent keeps. */
function spentByFamilyMs(parent: number): number | null {
  const own = statOf(parent);
  if (own === null) return null;
  return childrenOf(parent).reduce((sum, pid) => sum + (spentMs(pid) ?? 0), own.spentMs + own.endedChildrenMs);
}

function statOf(pid: number): { parent: number; spentMs: number; endedChildrenMs: number } | null {
  // After the name in brackets, which may contain anything.
  const fields = readOrNull(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  if (fields === undefined) return null;
  const at = (index: number) => Number(fields[index]);
  return { parent: at(1), spentMs: (at(11) + at(12)) * MS_PER_TICK, endedChildrenMs: (at(13) + at(14)) * MS_PER_TICK };
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // It has ended, or this is no Linux.
  }
}
