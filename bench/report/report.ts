/** Keeps the figures of each part as last measured, so that parts run apart make one report. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Part, PartOptions } from '../part.ts';
import { short, table, whole } from './markdown.ts';
import { isMet, type Target } from './targets.ts';

type PartRecord = {
  readonly part: string;
  readonly at: string;
  readonly seconds: number;
  readonly machine: string;
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly command: string;
  readonly options: PartOptions;
  readonly figures: unknown;
};

export function keepRecord(folder: string, record: PartRecord): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${record.part}.json`), JSON.stringify(record, null, 2));
}

function readRecord(folder: string, part: string): PartRecord | null {
  const path = join(folder, `${part}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

export function describeMachine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 1e9);
  const hardware = `${cpu?.model.trim()}, ${cpus().length} cores, ${gigabytes} GB`;
  return `${hardware}, ${process.platform} ${release()}, Node ${process.version}`;
}

/** Processes that want a processor, over the last minute, the bench's own included. */
export function loadAverage(): number {
  return loadavg()[0] ?? 0;
}

type Folders = { readonly records: string; readonly results: string };

/** `parts` write the same report. Returns false, and writes nothing, when none was ever run. */
export function writeReport(parts: readonly Part[], { records, results }: Folders): boolean {
  const measured = parts.flatMap((part) => {
    const record = readRecord(records, part.name);
    return record === null ? [] : [{ part, record }];
  });
  const report = measured[0]?.part.writes;
  if (report === undefined) return false;
  const sections = [
    report.head,
    conditionsSection(measured.map(({ record }) => record)),
    ...targetsSection(measured.flatMap(({ part, record }) => part.targets?.(record.figures) ?? [])),
    ...measured.map(({ part, record }) => part.describe(record.figures, record.options)),
  ];
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, report.file), `${sections.join('\n\n')}\n`);
  return true;
}

function conditionsSection(records: readonly PartRecord[]): string {
  const rows = records.map(({ part, at, seconds, loadBefore, loadAfter, command }) => [
    part,
    at.slice(0, 16).replace('T', ' '),
    whole(seconds),
    `${loadBefore.toFixed(1)} → ${loadAfter.toFixed(1)}`,
    `\`${command}\``,
  ]);
  const machines = [...new Set(records.map(({ machine }) => machine))];
  const head = ['part', 'measured (UTC)', 'seconds', 'load average before → after', 'command'];
  return `${machines.join('; ')}.\n\n${table(head, rows)}`;
}

function targetsSection(targets: readonly Target[]): string[] {
  if (targets.length === 0) return [];
  const rows = targets.map((target) => {
    const { what, atLeast, atMost, measured, of } = target;
    const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    const rates = of?.map(whole).join(' / ') ?? '';
    return [what, limit, `**${short(measured)}**`, rates, isMet(target) ? 'met' : 'missed'];
  });
  return [`## Targets\n\n${table(['', 'limit', 'measured', 'rates', ''], rows)}`];
}
