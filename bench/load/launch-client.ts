/**
 * The visitors of a launch as a process: each has a connection, looks at the page, joins (half of
 * them invited by somebody who has joined) and reads the status. Prints one line of JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { apiPaths, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { percentile } from '../statistics.ts';
import { drawArrivals } from './arrivals.ts';
import { type Answer, openConnection } from './connection.ts';
import { type Launch, type LaunchResult, STEPS, type Step, type StepResult } from './launch.ts';
import { getText, joinText, pick } from './requests.ts';

const launch = JSON.parse(process.argv[2] ?? '') as Launch;
const tag = Date.now().toString(36);
/** Loopback addresses: one alone has too few ports for a minute's visitors. */
const ADDRESSES = 200;

type Timed = { readonly ms: number; readonly isInRush: boolean };
const timed: Record<Step, Timed[]> = { page: [], join: [], status: [] };
const failures: Record<string, number> = {};
const codes: string[] = [];
const lateMs: number[] = [];

const beganAt = performance.now();
const cpuBefore = process.cpuUsage();
const visits: Promise<void>[] = [];
for (const [number, atMs] of drawArrivals(launch, Math.random).entries()) {
  const waitMs = beganAt + atMs - performance.now();
  if (waitMs > 1) await pause(waitMs);
  lateMs.push(performance.now() - beganAt - atMs);
  visits.push(visit(number).catch((error: Error) => countFailure(error.message)));
}
await Promise.all(visits);

const { user, system } = process.cpuUsage(cpuBefore);
const steps = Object.fromEntries(STEPS.map((step) => [step, sumUp(timed[step])]));
const result: LaunchResult = {
  visitors: launch.people,
  joined: codes.length,
  failures,
  steps: steps as Record<Step, StepResult>,
  clientCpuShare: (user + system) / 1000 / (performance.now() - beganAt),
  clientLateP99Ms: percentile(ascending(lateMs), 0.99),
};
console.log(JSON.stringify(result));

async function visit(number: number): Promise<void> {
  const connection = openConnection(launch.port, `127.0.0.${2 + (number % ADDRESSES)}`);
  /** Null when the answer is not 2xx. */
  async function ask(step: Step, text: string): Promise<Answer | null> {
    const askedAt = performance.now();
    const answer = await connection.ask(text);
    const isInRush = askedAt - beganAt < launch.rushSeconds * 1000;
    timed[step].push({ ms: performance.now() - askedAt, isInRush });
    if (answer.status >= 200 && answer.status < 300) return answer;
    countFailure(`${step} answered ${answer.status}`);
    return null;
  }
  try {
    if (launch.looksAtPage)
      await ask('page', getText(pagePaths.landing(), 'accept-encoding: br\r\n'));
    const [beforeJoinMs = 0, ...beforeReadsMs] = launch.pausesMs;
    await pause(beforeJoinMs);
    const code = number % 2 === 0 ? pick(codes) || null : null;
    const email = `visitor${number}.${tag}@mail.example`;
    const joined = await ask('join', joinText({ email, code, key: `${tag}-${number}` }));
    if (joined === null) return;
    const member = JSON.parse(joined.body) as Member;
    codes.push(member.referral_code);
    for (const waitMs of beforeReadsMs) {
      await pause(waitMs);
      await ask('status', getText(apiPaths.status(member.id)));
    }
  } finally {
    connection.close();
  }
}

function countFailure(failure: string): void {
  failures[failure] = (failures[failure] ?? 0) + 1;
}

function sumUp(all: readonly Timed[]): StepResult {
  const every = ascending(all.map(({ ms }) => ms));
  const rush = ascending(all.filter(({ isInRush }) => isInRush).map(({ ms }) => ms));
  return {
    answers: every.length,
    p50Ms: percentile(every, 0.5),
    p99Ms: percentile(every, 0.99),
    maxMs: percentile(every, 1),
    rushP99Ms: percentile(rush, 0.99),
  };
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}
