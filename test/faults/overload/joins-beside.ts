/** Twenty people a second who join, each from an address of their own, beside a flood. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { apiPaths } from '../../../contract/paths.ts';
import { Latencies, type Summary } from './latencies.ts';

/** Trusted; the other addresses of this machine are visitors. */
export const PROXY = '127.0.0.1';
export const GREEDY = '127.0.0.2';
/** More than a whole office has. */
export const CONNECTIONS = 1_500;
const JOINS_EVERY_MS = 50;
const MIN_ANSWERED = 0.95;

export type JoinsBeside = { readonly sent: number; readonly answered: Summary };

/**
 * Joins until the promise settles. `url`: a server that trusts PROXY. A second call for a server
 * names another network, 2 to 255, because the addresses of the first one are in line.
 */
export async function joinMeanwhile(
  url: string,
  until: Promise<unknown>,
  network = 1,
): Promise<JoinsBeside> {
  let isOver = false;
  until.finally(() => {
    isOver = true;
  });
  const answered = new Latencies();
  const joins: Promise<void>[] = [];
  while (!isOver) {
    joins.push(joinOnce(url, { network, index: joins.length }, answered));
    await delay(JOINS_EVERY_MS);
  }
  await Promise.all(joins);
  return { sent: joins.length, answered: answered.summary() };
}

type Place = { readonly network: number; readonly index: number };

async function joinOnce(
  url: string,
  { network, index }: Place,
  answered: Latencies,
): Promise<void> {
  const beganAt = performance.now();
  try {
    const answer = await fetch(url + apiPaths.join, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${network}.${index >> 8}.${index & 255}`,
        connection: 'close',
      },
      body: JSON.stringify({ email: `other${network}.${index}@example.com` }),
    });
    await answer.arrayBuffer();
    if (answer.status === 201) answered.add(performance.now() - beganAt);
  } catch {
    // A join without an answer is not counted as answered.
  }
}

export function expectAnswered(name: string, { sent, answered }: JoinsBeside): void {
  const { count, p50Ms, p99Ms, worstMs } = answered;
  const times = `p50 ${p50Ms} ms, p99 ${p99Ms} ms, worst ${Math.round(worstMs)} ms`;
  console.log(`${name}: ${count} of ${sent} joins, ${times}`);
  expect(sent).toBeGreaterThan(10);
  expect(count / sent).toBeGreaterThanOrEqual(MIN_ANSWERED);
}
