/** The client warms up, notifies the parent, waits for a message, measures, sends the result. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { percentile } from '../statistics.ts';
import type { LoopOptions, LoopResult } from './closed-loop.ts';
import { type Connection, openConnection } from './connection.ts';
import { openRequests } from './requests.ts';

const options = JSON.parse(process.argv[2] ?? '') as LoopOptions;
const { port, inFlight, warmUpSeconds, seconds, sampleFile } = options;
const next = openRequests({ ...options, sample: JSON.parse(readFileSync(sampleFile, 'utf8')) });
const connections = Array.from({ length: inFlight }, () => openConnection(port));
let firstFailure: string | null = null;

await runFor(warmUpSeconds);
process.send?.('warm');
await once(process, 'message');
const cpuBefore = process.cpuUsage();
const { latenciesMs, inTime } = await runFor(seconds);
const { user, system } = process.cpuUsage(cpuBefore);
for (const connection of connections) connection.close();

latenciesMs.sort((a, b) => a - b);
const result: LoopResult = {
  answers: latenciesMs.length,
  perSecond: inTime / seconds,
  p50Ms: percentile(latenciesMs, 0.5),
  p99Ms: percentile(latenciesMs, 0.99),
  clientUs: (user + system) / latenciesMs.length,
  firstFailure,
};
process.send?.(result, () => process.disconnect());

/** Requests in flight at the end are waited for and timed, but do not count in the rate. */
async function runFor(duration: number): Promise<{ latenciesMs: number[]; inTime: number }> {
  const latenciesMs: number[] = [];
  let inTime = 0;
  const endsAt = performance.now() + duration * 1000;
  async function sendUntilTheEnd(connection: Connection): Promise<void> {
    for (let sentAt = performance.now(); sentAt < endsAt; sentAt = performance.now()) {
      const { text, expected } = next();
      const { status, body } = await connection.send(text);
      const now = performance.now();
      latenciesMs.push(now - sentAt);
      if (now <= endsAt) inTime += 1;
      if (status < 200 || status > 299 || !body.includes(expected))
        firstFailure ??= `${status} ${body} instead of ${expected}`;
    }
  }
  await Promise.all(connections.map(sendUntilTheEnd));
  return { latenciesMs, inTime };
}
