/** Processor time and memory of processes, as Linux shows them in /proc; null elsewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const US_PER_TICK = 10_000;

/** Microseconds of processor time of a process and its children, with those that have ended. */
export function processorUs(pid: number): number | null {
  const own = statOf(pid);
  if (own === null) return null;
  const running = childrenOf(pid).map((child) => statOf(child)?.spentUs ?? 0);
  return running.reduce((sum, us) => sum + us, own.spentUs + own.endedChildrenUs);
}

/** Proportional set size in bytes, in which shared memory is divided among processes. */
export function memoryBytes(pid: number): number | null {
  const kilobytes = readOrNull(`/proc/${pid}/smaps_rollup`)?.match(/^Pss: +(\d+) kB/m)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

export function parentOf(pid: number): number | null {
  return statOf(pid)?.parent ?? null;
}

export function childrenOf(parent: number): number[] {
  if (!existsSync('/proc')) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => statOf(pid)?.parent === parent);
}

function statOf(pid: number): { parent: number; spentUs: number; endedChildrenUs: number } | null {
  // The name of the program precedes the fields, in brackets, and may contain anything.
  const fields = readOrNull(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  if (fields === undefined) return null;
  const at = (index: number) => Number(fields[index]);
  return {
    parent: at(1),
    spentUs: (at(11) + at(12)) * US_PER_TICK,
    endedChildrenUs: (at(13) + at(14)) * US_PER_TICK,
  };
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // The process has ended, or this is not Linux.
  }
}
