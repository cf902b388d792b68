/** A launch: visitors who come when they come, whether or not those before them have been answered. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type Launch = {
  readonly port: number;
  readonly people: number;
  readonly seconds: number;
  /** How long the rush at the opening lasts, and the share of all who come in it. */
  readonly rushSeconds: number;
  readonly rushShare: number;
  /** Pauses of a visitor: before the join, then before each read of the status. Without a first one nobody looks at the page. */
  readonly pausesMs: readonly number[];
  readonly looksAtPage: boolean;
  readonly tag: string;
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
  /** How many of each kind of failure: a status code that is not 2xx, or what went wrong with a connection. */
  readonly failures: Readonly<Record<string, number>>;
  readonly steps: Readonly<Record<Step, StepResult>>;
  readonly clientCpuShare: number;
  /** How late the client itself was at the 99th percentile: above a few milliseconds it is what was measured. */
  readonly clientLateP99Ms: number;
};

const CLIENT = fileURLToPath(new URL('launch-main.ts', import.meta.url));
const run = promisify(execFile);

/** In a process of its own. */
export async function runLaunch(launch: Launch): Promise<LaunchResult> {
  const { stdout } = await run(process.execPath, [CLIENT, JSON.stringify(launch)]);
  return JSON.parse(stdout) as LaunchResult;
}
