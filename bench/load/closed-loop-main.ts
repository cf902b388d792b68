/**
 * The client, as a process of its own: so many connections, each of which asks again as soon as it is answered. Options are JSON in
 * the first argument; the answer is one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { percentile } from '../statistics.ts';
import { readAnswers } from './answer-reader.ts';
import type { ClosedLoop, LoopResult } from './measure.ts';
import { EMPTY_SAMPLE, openRequests, type Sample } from './request-bytes.ts';

const options = JSON.parse(process.argv[2] ?? '') as ClosedLoop;
const { port, inFlight, seconds, sampleFile } = options;
const sample = sampleFile === null ? EMPTY_SAMPLE : (JSON.parse(readFileSync(sampleFile, 'utf8')) as Sample);
const next = openRequests({ ...options, sample });

const latenciesMs: number[] = [];
let inTime = 0;
let failed = 0;
let firstFailure = '';

const sockets = await Promise.all(Array.from({ length: inFlight }, openSocket));
const cpuBefore = process.cpuUsage();
const endsAt = performance.now() + seconds * 1000;
await Promise.all(sockets.map(askUntilTheEnd));
const { user, system } = process.cpuUsage(cpuBefore);

latenciesMs.sort((a, b) => a - b);
const result: LoopResult = {
  answers: latenciesMs.length,
  perSecond: inTime / seconds,
  p50Ms: percentile(latenciesMs, 0.5),
  p99Ms: percentile(latenciesMs, 0.99),
  failed,
  firstFailure,
  clientCpuUs: user + system,
};
console.log(JSON.stringify(result));

function openSocket(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** What is under way at the end is still waited for and timed, for it may have waited longest, but is no part of the rate. */
function askUntilTheEnd(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    let askedAt = 0;
    function ask(): void {
      askedAt = performance.now();
      if (askedAt >= endsAt) socket.end();
      else socket.write(next());
    }
    readAnswers(socket, ({ status, body }) => {
      const now = performance.now();
      latenciesMs.push(now - askedAt);
      if (now <= endsAt) inTime += 1;
      if (status < 200 || status > 299) fail(`${status} ${body}`);
      ask();
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => resolve());
    ask();
  });
}

function fail(what: string): void {
  failed += 1;
  if (firstFailure === '') firstFailure = what;
}
