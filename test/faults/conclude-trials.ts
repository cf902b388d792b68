/** Concludes trials under load. */
import { expect } from 'vitest';
import { isLong } from '../support/test-form.ts';
import { recordFault } from './fault-record.ts';
import type { Findings, openHistory } from './history.ts';
import type { Machine } from './machine.ts';
import type { startVisitors } from './visitors.ts';

export type Trials = {
  readonly fault: string;
  readonly acknowledged: number;
  readonly findings: Findings;
  /** Time to recovery, per trial. */
  readonly readyMs: readonly number[];
  /** The limit in the long form, which runs on an idle machine. */
  readonly readyWithinMs: number;
};

/** Records the findings for docs/FAULTS.md, and expects none. */
export function concludeTrials({
  fault,
  acknowledged,
  findings,
  readyMs,
  readyWithinMs,
}: Trials): void {
  const [lost, duplicated] = [findings.lost.length, findings.duplicated.length];
  recordFault({ fault, trials: readyMs.length, acknowledged, lost, duplicated, readyMs });
  expectNothingFound(findings);
  if (isLong) expect(Math.max(...readyMs)).toBeLessThan(readyWithinMs);
}

/** Stops visitors and machine, and checks the line against the answers that the visitors got. */
export async function concludeVisits({
  machine,
  visitors,
  history,
  ...trials
}: Pick<Trials, 'fault' | 'readyMs' | 'readyWithinMs'> & {
  readonly machine: Machine;
  readonly visitors: ReturnType<typeof startVisitors>;
  readonly history: ReturnType<typeof openHistory>;
}): Promise<void> {
  await visitors.stop();
  await machine.stop();
  const { line, differences } = await machine.readLine();
  concludeTrials({
    ...trials,
    acknowledged: history.members.length,
    findings: { ...history.judge(line), differences, violations: history.violations },
  });
}

/** No member is lost or duplicated, the line is exact, and no answer contradicts another. */
export function expectNothingFound(findings: Findings): void {
  expect(findings).toEqual({
    lost: [],
    duplicated: [],
    untrue: [],
    differences: [],
    violations: [],
  });
}
