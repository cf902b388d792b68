/** What `npm run faults` has measured, from the tests to docs/FAULTS.md. */
import { appendFileSync } from 'node:fs';
import type { LoadResult } from './overload/offer-load.ts';

export type FaultRecord = {
  /** Of which there is one row each. */
  readonly fault: string;
  readonly trials: number;
  /** Answers that said "done". */
  readonly acknowledged: number;
  readonly lost: number;
  readonly duplicated: number;
  /** From the fault's end to the first answer, of each trial. */
  readonly readyMs: readonly number[];
};

export type OverloadRecord = {
  readonly engine: string;
  /** How many times the capacity was offered. */
  readonly times: number;
  /** Requests a second that were served when as many came as could be. */
  readonly capacity: number;
  readonly overload: LoadResult;
  /** The most that the server's process was seen with. */
  readonly memoryBytes: number;
  /** From the end of the overload to the first of many joins taken as soon as ever. */
  readonly normalAfterMs: number;
  readonly acknowledged: number;
  readonly lost: number;
};

/** Keeps a row, when the full form runs and says where. */
export function recordFault(record: FaultRecord): void {
  keep(record);
}

/** Keeps a row of the table of overloads. */
export function recordOverload({ overload, ...record }: OverloadRecord): void {
  const { offered, seconds, unsent, accepted, refused } = overload;
  keep({ ...record, seconds, offered, unsent, accepted, refused });
}

function keep(record: object): void {
  const file = process.env.FAULTS_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(record)}\n`);
}
