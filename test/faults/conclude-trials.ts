/** How trials under visitors end. */
import { expect } from 'vitest';
import { recordFault } from './fault-record.ts';
import type { Findings, openHistory } from './history.ts';
import type { Machine } from './machine.ts';
import type { startVisitors } from './visitors.ts';

export type Trials = {
  readonly fault: string;
  readonly acknowledged: number;
  readonly findings: Findings;
  /** Until service is there again, of each trial. */
  readonly readyMs: readonly number[];
  /** The bar of the full form, on a machine with nothing else to do. */
  readonly readyWithinMs: number;
};

/** Keeps what was found for docs/FAULTS.md, and expects that it is nothing. */
export function concludeTrials({ fault, acknowledged, findings, readyMs, readyWithinMs }: Trials): void {
  const [lost, duplicated] = [findings.lost.length, findings.duplicated.length];
  recordFault({ fault, trials: readyMs.length, acknowledged, lost, duplicated, readyMs });
  expectNothingFound(findings);
  if (process.env.FAULTS === 'full') expect(Math.max(...readyMs)).toBeLessThan(readyWithinMs);
}

/** Ends visitors and machine, and judges the line that is left by what the visitors were answered. */
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

/** Nobody is lost or there twice, the line is exact, and no answer contradicts another. */
export function expectNothingFound(findings: Findings): void {
  expect(findings).toEqual({ lost: [], duplicated: [], untrue: [], differences: [], violations: [] });
}
