/** Passes the measurements of `npm run faults` from the tests to docs/FAULTS.md. */
import { appendFileSync } from 'node:fs';
import type { JoinsBeside } from './overload/joins-beside.ts';
import type { LoadResult } from './overload/offer-load.ts';

export type FaultRecord = {
  /** Names its row. */
  readonly fault: string;
  readonly trials: number;
  /** Acknowledged requests. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly duplicated: number;
  /** From the end of the fault to the first answer, per trial. */
  readonly readyMs: readonly number[];
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

/** From the kill of a server to its first 200 from `/readyz`, and the parts of that time. */
export type StartParts = {
  readonly readyMs: number;
  /** Until the engine is loaded: the end of the old process, Node, modules, settings. */
  readonly modulesMs: number;
  /** Until its WebAssembly runs. */
  readonly engineMs: number;
  /** Until PostgreSQL takes the first statement. */
  readonly recoveryMs: number;
  /** The part of `recoveryMs` in fsync. */
  readonly fsyncMs: number;
  /** Checks of the database, routes, and listening. */
  readonly restMs: number;
};

/** Writes a row, in the full form only. */
export function recordFault(record: FaultRecord): void {
  keep(record);
}

/** Writes a row of the overload table. */
export function recordOverload({ overload, ...record }: OverloadRecord): void {
  const { offered, seconds, unsent, accepted, refused } = overload;
  keep({ ...record, seconds, offered, unsent, accepted, refused });
}

/** Writes a row of the table of starts. */
export function recordStarts(record: { members: number; starts: readonly StartParts[] }): void {
  keep(record);
}

/** Writes a row of the table of floods. */
export function recordFlood(flooded: string, joins: JoinsBeside): void {
  keep({ flooded, ...joins });
}

function keep(record: object): void {
  const file = process.env.FAULTS_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(record)}\n`);
}
