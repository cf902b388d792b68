/** Passes the measurements of `npm run faults` from the tests to docs/FAULTS.md. */
import { recordRow } from '../support/record-row.ts';
import type { JoinsBeside } from './overload/joins-beside.ts';
import type { LoadResult } from './overload/offer-load.ts';

export type FaultRecord = {
  /** Names its row. */
  readonly fault: string;
  readonly trials: number;
  /** Acknowledged requests. */
  readonly acknowledged: number;
  readonly lost?: number;
  readonly duplicated?: number;
  /** From the end of the fault to the first answer, per trial. */
  readonly readyMs?: readonly number[];
};

export type OverloadRecord = {
  readonly engine: string;
  /** The offered load, in multiples of the capacity. */
  readonly times: number;
  /** Requests per second at saturation. */
  readonly capacity: number;
  readonly overload: LoadResult;
  /** The server's memory: before the overload, at its peak, and after at most a minute's rest. */
  readonly memoryBytes: { readonly before: number; readonly peak: number; readonly after: number };
  /** From the end of the overload until joins are as fast as before. */
  readonly normalAfterMs: number;
  readonly acknowledged: number;
  readonly lost: number;
};

/** Writes a row, in the long form only. */
export function recordFault(record: FaultRecord): void {
  const { fault, trials, acknowledged, lost = 0, duplicated = 0, readyMs = [] } = record;
  const times = [median(readyMs), Math.max(0, ...readyMs)].map((ms) => seconds(ms, 1));
  keep('Fault', [fault, ...[trials, acknowledged, lost, duplicated].map(whole), ...times]);
}

/** Writes a row of the overload table. */
export function recordOverload({ overload, memoryBytes, ...record }: OverloadRecord): void {
  const { engine, times, capacity, normalAfterMs, acknowledged, lost } = record;
  const { offered, seconds: lasted, unsent, accepted, refused } = overload;
  const sent = unsent > 0 ? `, of which sent ${perSecond((offered - unsent) / lasted)}` : '';
  const { before, peak, after } = memoryBytes;
  keep('Overload', [
    `Overload, ${engine}, ${times} times`,
    perSecond(capacity),
    `${perSecond(offered / lasted)}${sent}`,
    perSecond(accepted.perSecond),
    `${Math.round((100 * accepted.perSecond) / capacity)} %`,
    milliseconds(accepted.p99Ms),
    whole(refused.count),
    ...[refused.p99Ms, refused.worstMs].map(milliseconds),
    ...[before, peak, after].map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`),
    milliseconds(normalAfterMs),
    ...[acknowledged, lost].map(whole),
  ]);
}

/** Writes a row of the table of floods. */
export function recordFlood(flooded: string, { sent, answered }: JoinsBeside): void {
  const { count, p50Ms, p99Ms, worstMs } = answered;
  keep('Flooded', [
    `Flood of ${flooded}`,
    whole(sent),
    `${((100 * count) / sent).toFixed(1)} %`,
    ...[p50Ms, p99Ms, worstMs].map(milliseconds),
  ]);
}

/** `table` is the first word of the head of the table in docs/FAULTS.md. */
function keep(table: string, cells: readonly string[]): void {
  recordRow(table, [...cells, new Date().toISOString().slice(0, 10)]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const whole = (number: number) => Math.round(number).toLocaleString('en');
const seconds = (ms: number, digits: number) => `${(ms / 1000).toFixed(digits)} s`;
const milliseconds = (ms: number) => `${whole(ms)} ms`;
const perSecond = (count: number) => `${whole(count)}/s`;
