/**
 * The visitors of a launch, as a process of its own: each has a connection, looks at the page, joins, half of them by the invite of
 * somebody who has joined before, and reads the status some times. Options are JSON in the first argument; the answer is one line of JSON.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { apiPaths, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { percentile } from '../statistics.ts';
import { type Answer, readAnswers } from './answer-reader.ts';
import { drawArrivals } from './arrivals.ts';
import { type Launch, type LaunchResult, STEPS, type Step, type StepResult } from './launch.ts';
import { getBytes, joinBytes } from './request-bytes.ts';

const launch = JSON.parse(process.argv[2] ?? '') as Launch;
/** Loopback has many addresses: one alone has too few ports for all who come within a minute. */
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
  visits.push(visit(number).catch((error: Error) => count(error.message)));
}
await Promise.all(visits);

const { user, system } = process.cpuUsage(cpuBefore);
const result: LaunchResult = {
  visitors: launch.people,
  joined: codes.length,
  failures,
  steps: Object.fromEntries(STEPS.map((step) => [step, sumUp(timed[step])])) as Record<Step, StepResult>,
  clientCpuShare: (user + system) / 1000 / (performance.now() - beganAt),
  clientLateP99Ms: percentile(
    lateMs.sort((a, b) => a - b),
    0.99,
  ),
};
console.log(JSON.stringify(result));

async function visit(number: number): Promise<void> {
  const visitor = openVisitor(number);
  try {
    if (launch.looksAtPage) await visitor.ask('page', getBytes(pagePaths.landing(), 'accept-encoding: br\r\n'));
    const [beforeJoinMs = 0, ...beforeReadsMs] = launch.pausesMs;
    await pause(beforeJoinMs);
    const code = number % 2 === 0 ? (codes[Math.floor(Math.random() * codes.length)] ?? null) : null;
    const key = `${launch.tag}-${number}`;
    const joined = await visitor.ask(
      'join',
      joinBytes({ email: `visitor${number}.${launch.tag}@mail.example`, code, key }),
    );
    if (joined === null) return;
    const member = JSON.parse(joined.body) as Member;
    codes.push(member.referral_code);
    for (const waitMs of beforeReadsMs) {
      await pause(waitMs);
      await visitor.ask('status', getBytes(apiPaths.status(member.id)));
    }
  } finally {
    visitor.leave();
  }
}

function openVisitor(number: number) {
  const socket = connect({
    port: launch.port,
    host: '127.0.0.1',
    localAddress: `127.0.0.${2 + (number % ADDRESSES)}`,
    noDelay: true,
  });
  let waiting: PromiseWithResolvers<Answer> | null = null;
  readAnswers(socket, (answer) => waiting?.resolve(answer));
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('connection closed')));
  return {
    /** Null when the answer is not 2xx. The first includes the time to connect. */
    async ask(step: Step, bytes: string): Promise<Answer | null> {
      const askedAt = performance.now();
      waiting = Promise.withResolvers<Answer>();
      socket.write(bytes);
      const answer = await waiting.promise;
      waiting = null;
      const isInRush = askedAt - beganAt < launch.rushSeconds * 1000;
      timed[step].push({ ms: performance.now() - askedAt, isInRush });
      if (answer.status >= 200 && answer.status < 300) return answer;
      count(`${step} answered ${answer.status}`);
      return null;
    },
    leave: () => socket.destroy(),
  };
}

function count(failure: string): void {
  failures[failure] = (failures[failure] ?? 0) + 1;
}

function sumUp(all: readonly Timed[]): StepResult {
  const sorted = (some: readonly Timed[]) => some.map(({ ms }) => ms).sort((a, b) => a - b);
  const [every, rush] = [sorted(all), sorted(all.filter(({ isInRush }) => isInRush))];
  return {
    answers: every.length,
    p50Ms: percentile(every, 0.5),
    p99Ms: percentile(every, 0.99),
    maxMs: percentile(every, 1),
    rushP99Ms: percentile(rush, 0.99),
  };
}
