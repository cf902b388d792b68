/** Two servers on one PostgreSQL behind each proxy of deploy/: one is killed, no join fails. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import type { Stats } from '../../contract/schemas.ts';
import { joinWaitlist } from '../../web/api/waitlist.ts';
import { joinOverHttp } from '../faults/join-load.ts';
import { startDeployedHaproxy } from '../faults/overload/deployed-haproxy.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { freePort, type ServerProcess, startServer } from '../support/server-process.ts';
import { type DeployedProxy, startCaddy, startNginx } from './deployed-proxies.ts';
import { findCaddy, findMissing, testUnless } from './programs.ts';

const KILLS = 6;
const VISITORS = 32;
/** Between a kill, a start, and the next kill. */
const JOINS_BETWEEN = 200;
/** The test ends early. */
const ENOUGH_FAILURES = 1_000;

let folder: string;
let postgres: PostgresServer;
let ports: number[];
let servers: ServerProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-killed-'));
  postgres = await startPostgres();
  ports = [await freePort(), await freePort()];
  servers = [await startNode(0), await startNode(1)];
});

afterEach(() => void vi.unstubAllGlobals());

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

function startNode(index: number): Promise<ServerProcess> {
  return startServer({
    PORT: String(ports[index]),
    DATA_DIR: join(folder, `node${index}`),
    DATABASE_URL: postgres.url,
    SECRET_KEY: 'the same on both servers, as it must be',
    TRUST_PROXY: '127.0.0.1',
    LIMITS: 'off',
  });
}

/** Its first join since it was started. */
async function untilItAnswersJoins(index: number): Promise<void> {
  const token = readFileSync(join(folder, `node${index}`, 'operator-token'), 'utf8').trim();
  const request = { headers: { authorization: `Bearer ${token}` } };
  const answered = /_count\{method="POST",route="\/api\/waitlist\/join",status="201"/;
  for (;;) {
    const metrics = await fetch(`${servers[index]?.url}/metrics`, request);
    if (answered.test(await metrics.text())) return;
    await delay(100);
  }
}

/** One join of a new address; resolves with null, or with what went wrong. */
type Join = (proxyUrl: string) => Promise<string | null>;

/** One request, which the proxy alone may repeat. */
const once: Join = async (proxyUrl) => {
  const answer = await joinOverHttp(proxyUrl, `${randomUUID()}@example.com`, null);
  const body = await answer.text();
  return answer.status === 201 ? null : `${answer.status} ${body.slice(0, 100)}`;
};

/** As the site joins. */
const asTheSite: Join = async () => {
  const attempt = { email: `${randomUUID()}@example.com`, referredBy: null };
  await joinWaitlist({ ...attempt, idempotencyKey: randomUUID() });
  return null;
};

/** Visitors join without a pause while one server after the other is killed and started again. */
async function killUnderLoad(proxy: DeployedProxy, joinOnce: Join) {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (target: string, init?: RequestInit) =>
    fetch(target.startsWith('/') ? proxy.url + target : target, init),
  );
  const before = await countMembers(proxy.url);
  const failures: string[] = [];
  let joined = 0;
  let isRunning = true;
  async function visit(): Promise<void> {
    while (isRunning) {
      const failure = await joinOnce(proxy.url).catch((error) => `${error} ${error.cause ?? ''}`);
      if (failure === null) joined += 1;
      else failures.push(failure);
    }
  }
  async function untilMoreJoins(): Promise<void> {
    const enough = joined + JOINS_BETWEEN;
    while (joined < enough && failures.length < ENOUGH_FAILURES) await delay(5);
  }
  const visits = Array.from({ length: VISITORS }, visit);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const index = kill % servers.length;
    await untilMoreJoins();
    await servers[index]?.kill();
    await untilMoreJoins();
    servers[index] = await startNode(index);
    // The proxy has noticed that it is back.
    await untilItAnswersJoins(index);
  }
  await untilMoreJoins();
  isRunning = false;
  await Promise.all(visits);
  const members = (await countMembers(proxy.url)) - before;
  await proxy.stop();
  console.log(`${KILLS} kills: ${joined} joins, ${failures.length} failed`);
  return { failures, unexplained: members - joined };
}

async function countMembers(url: string): Promise<number> {
  return ((await (await fetch(url + apiPaths.stats)).json()) as Stats).total_signups;
}

const nothingLost = { failures: [], unexplained: 0 };
const caddy = findCaddy();
const caddyPath = caddy?.path ?? '';
const noCaddy = caddy === null ? 'caddy not installed' : null;

testUnless('behind Caddy', noCaddy ?? caddy?.unfit ?? null, async () => {
  const proxy = await startCaddy(caddyPath, ports, { canRepeat: true });
  expect(await killUnderLoad(proxy, once)).toEqual(nothingLost);
});

testUnless('behind a Caddy that cannot repeat a join, with the site', noCaddy, async () => {
  const proxy = await startCaddy(caddyPath, ports, { canRepeat: false });
  expect(await killUnderLoad(proxy, asTheSite)).toEqual(nothingLost);
});

testUnless('behind nginx', findMissing('nginx'), async () => {
  expect(await killUnderLoad(await startNginx(ports), once)).toEqual(nothingLost);
});

testUnless('behind HAProxy', findMissing('haproxy'), async () => {
  const { port, stop } = await startDeployedHaproxy(...ports);
  const proxy = { url: `http://127.0.0.1:${port}`, stop };
  expect(await killUnderLoad(proxy, once)).toEqual(nothingLost);
});
