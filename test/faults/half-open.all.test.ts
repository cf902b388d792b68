/** Half-open connections to the database and from visitors: one end has gone silently. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { findGaps } from '../line/check-permutation.ts';
import { createMigratedPlace, openTestDatabase } from '../support/engines.ts';
import { readMetrics } from '../support/operator-call.ts';
import { startServer } from '../support/server-process.ts';
import { openSilentNetwork } from '../support/silent-network.ts';
import { isLong } from '../support/test-form.ts';
import { concludeTrials } from './conclude-trials.ts';
import { openHistory } from './history.ts';
import { joinOverHttp } from './join-load.ts';
import { readLine } from './read-line.ts';
import { startVisitors, timeReturn, untilJoined } from './visitors.ts';

const TRIALS = isLong ? 6 : 1;
const VISITORS = 16;
/** Time limits are checked in the long form only, which runs on an idle machine. */
const REFUSED_WITHIN_MS = 20_000;
const READY_WITHIN_MS = 10_000;
const HALF_OPEN = isLong ? 100 : 20;
/** Joins, one after the other. */
const HONEST = 50;
const LET_GO_WITHIN_MS = 80_000;

describe.concurrent('a network that silently drops everything', () => {
  test('to the database: visitors are told to retry, and joins resume once it is back', async ({
    onTestFinished,
  }) => {
    const place = await createMigratedPlace('postgres');
    const direct = new URL(place.databaseUrl ?? '');
    const network = await openSilentNetwork(Number(direct.port));
    const through = new URL(direct);
    through.port = String(network.port);
    const server = await startServer({
      DATA_DIR: place.dataDir,
      DATABASE_URL: through.href,
      LIMITS: 'off',
    });
    onTestFinished(() => server.kill());
    const history = openHistory();
    const visitors = startVisitors(server.url, VISITORS, history);
    const readyMs: number[] = [];
    for (let trial = 1; trial <= TRIALS; trial += 1) {
      await untilJoined(history, VISITORS);
      network.silence();
      const silentSince = performance.now();
      const asked = [
        joinOverHttp(server.url, `silent${trial}@example.com`, null),
        fetch(server.url + fillPath(apiPaths.status, history.members[0]?.id ?? '')),
        fetch(server.url + apiPaths.stats),
        fetch(
          server.url + fillPath(apiPaths.verifyReferral, history.members[0]?.referral_code ?? ''),
        ),
      ];
      for (const answer of await Promise.all(asked)) {
        expect(answer.status, await answer.text()).toBe(503);
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      if (isLong) expect(performance.now() - silentSince).toBeLessThan(REFUSED_WITHIN_MS);
      readyMs.push(
        await timeReturn(history, () => network.restore({ forgetting: trial % 2 === 1 })),
      );
    }
    await visitors.stop();
    while (!server.output().includes('the database is back')) await delay(50);
    expect(await server.stop()).toBe(0);
    expect(countOutageLines(server.output())).toEqual({ perRequest: 0, isOncePerOutage: true });
    network.close();
    const { line, differences } = await readLine(place);
    await place.remove();
    // The silent joins may be in the line or not, but at most once.
    const verdict = history.judge(line.filter(({ email }) => !email.startsWith('silent')));
    const untrue = [
      ...findGaps(line.map(({ position }) => position)),
      ...verdict.untrue.filter((sentence) => sentence.endsWith('friends.')),
    ];
    concludeTrials({
      fault: 'Network to the database silent',
      acknowledged: history.members.length,
      findings: { ...verdict, untrue, differences, violations: history.violations },
      readyMs,
      readyWithinMs: READY_WITHIN_MS,
    });
  });

  test('from visitors: the others are served, and the server closes dead connections', async ({
    onTestFinished,
  }) => {
    const place = await createMigratedPlace('embedded');
    const server = await startServer({ DATA_DIR: place.dataDir, LIMITS: 'off' });
    onTestFinished(() => server.kill());
    const port = Number(new URL(server.url).port);
    const network = await openSilentNetwork(port);
    const openings = [
      '',
      'GET / HTTP/1.1\r\nHost: a\r\nX-Half: ',
      'POST /api/waitlist/join HTTP/1.1\r\nHost: a\r\n' +
        'Content-Type: application/json\r\nContent-Length: 60\r\n\r\n{"em',
      // Idle keep-alive connections live longest: only the long form waits for them.
      ...(isLong ? ['GET /api/waitlist/stats HTTP/1.1\r\nHost: a\r\n\r\n'] : []),
    ];
    const sockets = await Promise.all(
      openings.flatMap((opening) =>
        Array.from({ length: HALF_OPEN }, () => open(network.port, opening)),
      ),
    );
    while ((await countSockets(server.url, place.dataDir)) < sockets.length) await delay(50);
    network.silence();
    const since = performance.now();
    for (let index = 0; index < HONEST; index += 1)
      expect((await joinOverHttp(server.url, `honest${index}@example.com`, null)).status).toBe(201);
    while ((await countSockets(server.url, place.dataDir)) > HALF_OPEN / 2) await delay(250);
    const letGoMs = performance.now() - since;
    if (isLong)
      console.log(
        `${sockets.length} half-open visitors were let go after ${(letGoMs / 1000).toFixed(1)} s`,
      );
    if (isLong) expect(letGoMs).toBeLessThan(LET_GO_WITHIN_MS);
    for (const socket of sockets) socket.destroy();
    network.close();
    expect(await server.stop()).toBe(0);
    await place.remove();
  });
});

/** One line when the database goes away and one when it is back, however many requests fail. */
function countOutageLines(output: string) {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  const starts = lines.filter((line) => line.includes('"the database is away"')).length;
  const ends = lines.filter((line) => line.includes('"the database is back"')).length;
  return {
    perRequest: lines.length - starts - ends,
    isOncePerOutage: starts === ends && starts >= 1 && starts <= TRIALS,
  };
}

/** Longer than a connection may be silent before the server checks it. */
const LONG_QUERY_S = 8;

test.concurrent('a query that PostgreSQL still works on is awaited, however silent', async () => {
  const { database, close } = await openTestDatabase('postgres');
  const waited = database.runSql(`select pg_sleep(${LONG_QUERY_S})`);
  const isLocked = Promise.withResolvers<void>();
  const locked = database.kysely.transaction().execute(async (transaction) => {
    await sql`lock table member in exclusive mode`.execute(transaction);
    isLocked.resolve();
    await sql`select pg_sleep(${LONG_QUERY_S}::float8)`.execute(transaction);
  });
  await isLocked.promise;
  const blocked = database.runSql('delete from member');
  await Promise.all([waited, locked, blocked]);
  await close();
});

/** Open sockets of the server, from /metrics. */
async function countSockets(url: string, dataDir: string): Promise<number> {
  const metrics = await readMetrics(url, dataDir);
  return Number(/^nodejs_active_handles\{type="Socket"\} (\d+)$/m.exec(metrics)?.[1]);
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}
