/** An open loop: visitors arrive on schedule, whether or not others have been answered. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Rush } from './arrivals.ts';

export type Launch = Rush & {
  readonly port: number;
  /** Pauses of a visitor: before the join, then before each read of the status. */
  readonly pausesMs: readonly number[];
  readonly looksAtPage: boolean;
};

export const STEPS = ['page', 'join', 'status'] as const;
export type Step = (typeof STEPS)[number];

export type StepResult = {
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Of those asked in the rush. */
  readonly rushP99Ms: number;
};

export type LaunchResult = {
  readonly visitors: number;
  readonly joined: number;
  /** How many of each kind: a status code that is not 2xx, or the error of a connection. */
  readonly failures: Readonly<Record<string, number>>;
  readonly steps: Readonly<Record<Step, StepResult>>;
  readonly clientCpuShare: number;
  /** How late the client sent: above a few milliseconds, the client is what was measured. */
  readonly clientLateP99Ms: number;
};

const CLIENT = fileURLToPath(new URL('launch-client.ts', import.meta.url));
const run = promisify(execFile);

/** In a process of its own. */
export async function runLaunch(launch: Launch): Promise<LaunchResult> {
  const { stdout } = await run(process.execPath, [CLIENT, JSON.stringify(launch)]);
  return JSON.parse(stdout) as LaunchResult;
}
