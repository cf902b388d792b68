/**
 * Many times more requests than the server can answer. In full, the clients have one core, and the
 * server and its database the other.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace, defaultEngine } from '../../support/engines.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { isLong } from '../../support/test-form.ts';
import { withClient } from '../../support/with-client.ts';
import { inspect, settingsOf } from '../backup-commands.ts';
import { recordOverload } from '../fault-record.ts';
import { joinOverHttp } from '../join-load.ts';
import { type DeployedHaproxy, hasHaproxy, startDeployedHaproxy } from './deployed-haproxy.ts';
import { keepOffClientsCore, readMemory, runLoad, watchMemory } from './load-process.ts';
import type { LoadResult } from './offer-load.ts';
import type { Member } from './visits.ts';

/** The targets apply at five times the capacity. */
const [MOST_TIMES, TIMES] = [5, isLong ? [2, 5] : [5]];
const IN_FLIGHT = 256;
const [WARM_SECONDS, PEAK_SECONDS, SECONDS] = isLong ? [3, 8, 60] : [1, 1, 2];

/** Behind a proxy, refusing costs the server nothing. */
const ROUTES: readonly (keyof typeof GOODPUT)[] =
  isLong && hasHaproxy ? ['straight', 'behind HAProxy'] : ['straight'];

/** The targets of the long form. */
const GOODPUT = { straight: 0.6, 'behind HAProxy': 0.8 };
const ACCEPTED_P99_MS = 1_000;
const REFUSED_P99_MS = 250;
const NORMAL_WITHIN_MS = 10_000;
const MOST_MEMORY_BYTES = 1.5 * 2 ** 30;
/** After the overload, at most so much of the memory that the server had at its capacity. */
const MOST_MEMORY_AFTER = 1.5;
const REST_MS = 60_000;

/** The server is back to normal after this many joins in a row, each within NORMAL_MS. */
const NORMAL_JOINS = 20;
const NORMAL_MS = isLong ? 100 : 10_000;
/** A minute, if each is refused at once. */
const MOST_TRIES = 1_200;

let place: DatabasePlace;
let server: ServerProcess;
let proxy: DeployedHaproxy | undefined;
afterEach(async () => {
  await proxy?.stop();
  proxy = undefined;
  await server.kill();
  await place.remove();
});

/** The time until normal again; infinite if that never happens. */
async function untilNormal(url: string, members: Member[]): Promise<number> {
  const beganAt = performance.now();
  let since = beganAt;
  for (let taken = 0, tries = 0; taken < NORMAL_JOINS; tries += 1) {
    if (tries === MOST_TRIES) return Number.POSITIVE_INFINITY;
    const askedAt = performance.now();
    const answer = await joinOverHttp(url, `after${members.length}@example.com`, null);
    if (answer.status === 201) members.push((await answer.json()) as Member);
    const isInTime = !isLong || performance.now() - askedAt <= NORMAL_MS;
    const isNormal = answer.status === 201 && isInTime;
    taken = isNormal ? taken + 1 : 0;
    if (taken === 1) since = askedAt;
    if (!isNormal) await delay(50);
  }
  return since - beganAt;
}

/** Waits until the memory has returned, or has had its time to. Returns it. */
async function untilMemoryReturns(pid: number, mostBytes: number): Promise<number> {
  const deadline = performance.now() + REST_MS;
  let bytes = await readMemory(pid);
  while (bytes > mostBytes && performance.now() < deadline) {
    await delay(1_000);
    bytes = await readMemory(pid);
  }
  return bytes;
}

function expectHonestAnswers({
  otherStatuses,
  refusedWithoutRetryAfter,
  half,
  unanswered,
}: LoadResult): void {
  expect({ otherStatuses, refusedWithoutRetryAfter, half, unanswered }).toEqual({
    otherStatuses: {},
    refusedWithoutRetryAfter: 0,
    half: 0,
    unanswered: 0,
  });
}

/** The process that starts the backends of PostgreSQL. */
function postmasterOf(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const status = readFileSync(`/proc/${rows[0].pid}/status`, 'utf8');
    return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
  });
}

const servers = defaultEngine.flatMap((engine) => ROUTES.map((route) => ({ engine, route })));

describe.each(servers)('a server on $engine, asked $route', ({ engine, route }) => {
  test.each(TIMES)(
    'under %i times its capacity serves what it can and refuses the rest honestly',
    async (times) => {
      place = await createMigratedPlace(engine);
      if (isLong && place.databaseUrl !== null)
        keepOffClientsCore(await postmasterOf(place.databaseUrl));
      server = await startServer({ ...settingsOf(place), LIMITS: 'off' });
      keepOffClientsCore(server.pid);
      const ownPort = Number(new URL(server.url).port);
      proxy = route === 'straight' ? undefined : await startDeployedHaproxy(ownPort);
      const port = proxy?.port ?? ownPort;
      const members: Member[] = [];
      const closed = { closed: { inFlight: IN_FLIGHT } };
      await runLoad({ port, seconds: WARM_SECONDS, offer: closed }, members);
      const normal = await runLoad({ port, seconds: PEAK_SECONDS, offer: closed }, members);
      expectHonestAnswers(normal);
      expect(normal.refused.count, 'refused at full but normal load').toBe(0);

      const capacity = normal.accepted.perSecond;
      const before = await readMemory(server.pid);
      const peak = watchMemory(server.pid);
      const offer = { open: { perSecond: times * capacity } };
      const overload = await runLoad({ port, seconds: SECONDS, offer }, members);
      const memoryBytes = { before, peak: peak(), after: 0 };
      const normalAfterMs = await untilNormal(server.url, members);
      if (isLong)
        memoryBytes.after = await untilMemoryReturns(server.pid, MOST_MEMORY_AFTER * before);
      expect(normalAfterMs).toBeLessThan(Number.POSITIVE_INFINITY);
      expect(await server.stop()).toBe(0);

      const { positions, differences } = await inspect(place);
      const lost = members.filter(({ id }) => !positions.has(id)).length;
      recordOverload({
        engine: route === 'straight' ? engine : `${engine} ${route}`,
        times,
        capacity,
        overload,
        memoryBytes,
        normalAfterMs,
        acknowledged: members.length,
        lost,
      });
      expectHonestAnswers(overload);
      expect({ lost, differences }).toEqual({ lost: 0, differences: [] });
      expect(positions.size).toBe(members.length);
      if (!isLong || times < MOST_TIMES) return;
      expect(overload.accepted.perSecond / capacity, 'goodput').toBeGreaterThanOrEqual(
        GOODPUT[route],
      );
      if (route === 'straight') expect(overload.refused.p99Ms).toBeLessThanOrEqual(REFUSED_P99_MS);
      else expect(overload.accepted.p99Ms).toBeLessThanOrEqual(ACCEPTED_P99_MS);
      expect(memoryBytes.peak).toBeLessThan(MOST_MEMORY_BYTES);
      expect(memoryBytes.after / before, 'memory after').toBeLessThanOrEqual(MOST_MEMORY_AFTER);
      expect(normalAfterMs).toBeLessThan(NORMAL_WITHIN_MS);
    },
  );
});
