/** One client with more connections than a whole office, beside others who join. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { apiPaths } from '../../../contract/paths.ts';
import { createMigratedPlace, type DatabasePlace } from '../../support/engines.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { isFull } from '../../support/short-form.ts';
import { settingsOf } from '../backup-commands.ts';
import { runLoad } from './load-process.ts';

const CONNECTIONS = 1_500;
const KEPT_ALIVE = 11_000;
const SECONDS = isFull ? 30 : 5;
const JOINS_EVERY_MS = 50;
const MIN_ANSWERED = 0.95;

/** Trusted; the other addresses of this machine are visitors. */
const PROXY = '127.0.0.1';
const GREEDY = '127.0.0.2';

let place: DatabasePlace;
let server: ServerProcess;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.kill();
  await place.remove();
});

async function start(): Promise<number> {
  place = await createMigratedPlace('embedded');
  server = await startServer({ ...settingsOf(place), TRUST_PROXY: PROXY });
  return Number(new URL(server.url).port);
}

/** Joins from an address of its own each time, until the promise settles or the time is up. */
async function joinMeanwhile(until: Promise<unknown>) {
  let isOver = false;
  until.finally(() => {
    isOver = true;
  });
  const joins: Promise<{ status: number; ms: number }>[] = [];
  while (!isOver) {
    joins.push(joinOnce(joins.length));
    await delay(JOINS_EVERY_MS);
  }
  const answers = await Promise.all(joins);
  const times = answers.map(({ ms }) => ms).sort((one, other) => one - other);
  return {
    sent: answers.length,
    answered: answers.filter(({ status }) => status === 201).length,
    p99Ms: Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? 0),
  };
}

async function joinOnce(index: number): Promise<{ status: number; ms: number }> {
  const beganAt = performance.now();
  const status = await fetch(server.url + apiPaths.join, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.1.${index >> 8}.${index & 255}`,
      connection: 'close',
    },
    body: JSON.stringify({ email: `other${index}@example.com` }),
  }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );
  return { status, ms: performance.now() - beganAt };
}

function expectAnswered(name: string, joins: Awaited<ReturnType<typeof joinMeanwhile>>): void {
  console.log(`${name}: ${joins.answered} of ${joins.sent} joins, p99 ${joins.p99Ms} ms`);
  expect(joins.sent).toBeGreaterThan(10);
  expect(joins.answered / joins.sent).toBeGreaterThanOrEqual(MIN_ANSWERED);
}

test(`${CONNECTIONS} connections that ask without end leave other joins answered`, async () => {
  const port = await start();
  const closed = { closed: { inFlight: CONNECTIONS } };
  const flood = runLoad({ port, from: GREEDY, seconds: SECONDS, offer: closed }, []);
  expectAnswered(`${CONNECTIONS} greedy connections`, await joinMeanwhile(flood));
  const { half, refusedWithoutRetryAfter } = await flood;
  expect({ half, refusedWithoutRetryAfter }).toEqual({ half: 0, refusedWithoutRetryAfter: 0 });
});

if (isFull) {
  test(`${KEPT_ALIVE} idle connections of 11 addresses leave other joins answered`, async () => {
    const port = await start();
    const opened = Array.from({ length: KEPT_ALIVE }, (_, index) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        localAddress: `127.0.0.${2 + (index % 11)}`,
      });
      socket.on('error', () => undefined);
      sockets.push(socket);
      return once(socket, 'connect').catch(() => undefined);
    });
    const idle = Promise.all(opened).then(() => delay(SECONDS * 500));
    expectAnswered(`${KEPT_ALIVE} idle connections`, await joinMeanwhile(idle));
  });
}
