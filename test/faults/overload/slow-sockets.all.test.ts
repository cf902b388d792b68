/** Crowds of clients whose requests never arrive completely. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { addAdmission } from '../../../server/http/admission/admission.ts';
import { createHttpServer } from '../../../server/http/create-server.ts';
import { createMigratedPlace } from '../../support/engines.ts';
import { startServer } from '../../support/server-process.ts';
import { isLong } from '../../support/test-form.ts';
import { settingsOf } from '../backup-commands.ts';
import { runLoad } from './load-process.ts';
import type { Member } from './visits.ts';

/** Incomplete requests, to be continued byte by byte. */
const BEGIN = {
  header: 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
  body:
    'POST /api/waitlist/join HTTP/1.1\r\nHost: a\r\n' +
    'Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
};

type SlowPart = keyof typeof BEGIN;

type Crowd = {
  readonly port: number;
  /** Sockets per part. */
  readonly count: number;
  /** The time in which all connect. */
  readonly withinMs: number;
  /** The interval between two bytes of a socket. */
  readonly everyMs: number;
};

/** Replaces each socket that is cut. */
function openSlowSockets({ port, count, withinMs, everyMs }: Crowd) {
  /** Every socket that was cut: after how long, and with which answer. */
  const cuts: { part: SlowPart; afterMs: number; answer: string }[] = [];
  const sockets = new Set<Socket>();
  let isStopping = false;

  function open(part: SlowPart): void {
    const socket = connect({ port, host: '127.0.0.1' });
    const beganAt = performance.now();
    let answer = '';
    sockets.add(socket);
    socket.write(BEGIN[part]);
    const dribble = setInterval(() => socket.writable && socket.write(' '), everyMs);
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {}); // A write may race the close.
    socket.on('close', () => {
      clearInterval(dribble);
      sockets.delete(socket);
      if (isStopping) return;
      cuts.push({ part, afterMs: performance.now() - beganAt, answer });
      open(part);
    });
  }

  const arrivals = Array.from({ length: count }, (_, index) =>
    setTimeout(
      () => {
        open('header');
        open('body');
      },
      (index / count) * withinMs,
    ),
  );
  return {
    cuts,
    stop() {
      isStopping = true;
      for (const arrival of arrivals) clearTimeout(arrival);
      for (const socket of sockets) socket.destroy();
    },
  };
}

let slow: ReturnType<typeof openSlowSockets>;
let close: () => Promise<void>;
afterEach(async () => {
  slow.stop();
  await close();
});

test('sockets that dribble are all cut, and nobody else is delayed', async () => {
  const options = {
    config: { trustProxy: [], isLimiting: true },
    log: false as const,
    headers: {},
    requestTimeoutMs: 500,
  };
  const server = createHttpServer({
    ...options,
    sendNotFound: (_request, reply) => reply.code(404).send(),
  });
  addAdmission(server, options);
  server.get('/honest', async () => 'done');
  server.post('/api/waitlist/join', async () => 'never');
  await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  close = () => server.close();
  const { port } = server.server.address() as AddressInfo;

  const each = 100;
  slow = openSlowSockets({ port, count: each, withinMs: 100, everyMs: 50 });
  const answers = new Set<number>();
  while (slow.cuts.length < 2 * each) {
    answers.add((await fetch(`http://127.0.0.1:${port}/honest`)).status);
    await delay(5);
  }
  expect([...answers]).toEqual([200]);
  for (const part of ['header', 'body'])
    expect(slow.cuts.some((cut) => cut.part === part)).toBe(true);
  expect(slow.cuts.filter(({ answer }) => !answer.includes(' 408 '))).toEqual([]);
});

if (isLong) {
  const SOCKETS = 1_000;
  const SECONDS = 20;
  const ARRIVING_MS = 5_000;
  const HONEST_PER_SECOND = 200;
  const CUT_MS = { header: 10_000, body: 15_000 };
  /** The server's check interval, and slack for a busy machine. */
  const CUT_LATE_MS = 2_000;

  test(`${2 * SOCKETS} slow requests are cut, and others wait at most twice as long`, async () => {
    const place = await createMigratedPlace('embedded');
    const server = await startServer({ ...settingsOf(place), LIMITS: 'off' });
    close = async () => {
      await server.kill();
      await place.remove();
    };
    const port = Number(new URL(server.url).port);
    const members: Member[] = [];
    const plan = { port, seconds: SECONDS, offer: { open: { perSecond: HONEST_PER_SECOND } } };
    await runLoad({ ...plan, seconds: 4 }, members);
    const before = await runLoad(plan, members);
    slow = openSlowSockets({ port, count: SOCKETS, withinMs: ARRIVING_MS, everyMs: 1_000 });
    const during = await runLoad(plan, members);
    const worst = (part: 'header' | 'body') =>
      Math.max(...slow.cuts.filter((cut) => cut.part === part).map(({ afterMs }) => afterMs));
    console.log(
      `slow sockets: honest p99 ${before.accepted.p99Ms} ms before, ` +
        `${during.accepted.p99Ms} ms during; ${slow.cuts.length} cut, headers after at most ` +
        `${Math.round(worst('header'))} ms, bodies ${Math.round(worst('body'))} ms`,
    );
    expect(slow.cuts.length).toBeGreaterThanOrEqual(2 * SOCKETS);
    for (const { part, afterMs, answer } of slow.cuts) {
      expect(answer).toContain(' 408 ');
      expect(afterMs, part).toBeLessThan(CUT_MS[part] + CUT_LATE_MS);
    }
    expect(during.refused.count + before.refused.count).toBe(0);
    expect(during.accepted.p99Ms).toBeLessThanOrEqual(2 * before.accepted.p99Ms);
  });
}
