/** What `npm run faults` has measured, from the tests to docs/FAULTS.md. */
import { appendFileSync } from 'node:fs';

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

/** Keeps a row, when the full form runs and says where. */
export function recordFault(record: FaultRecord): void {
  const file = process.env.FAULTS_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(record)}\n`);
}
