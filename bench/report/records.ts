/** The figures of each part as it was last run, kept so that parts run apart make one report. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

export type PartRecord = {
  readonly part: string;
  /** ISO 8601. */
  readonly at: string;
  readonly seconds: number;
  readonly machine: string;
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly command: string;
  readonly figures: unknown;
};

export function keepRecord(folder: string, record: PartRecord): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${record.part}.json`), JSON.stringify(record, null, 2));
}

/** Null for a part that was never run. */
export function readRecord(folder: string, part: string): PartRecord | null {
  const path = join(folder, `${part}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/** For people: processor, cores, memory, system, Node. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 1e9);
  const hardware = `${cpu?.model.trim()}, ${cpus().length} cores, ${gigabytes} GB`;
  return `${hardware}, ${process.platform} ${release()}, Node ${process.version}`;
}

/** Processes that want a processor, over the last minute: the bench's own among them. */
export function loadAverage(): number {
  return loadavg()[0] ?? 0;
}
