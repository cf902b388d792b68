/**
 * Servers on one PostgreSQL behind each proxy of deploy/: one of two is killed, or restarts, and so
 * does a single one whose socket is held meanwhile. No join fails.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import type { Stats } from '../../contract/schemas.ts';
import { joinWaitlist } from '../../web/api/waitlist.ts';
import { joinOverHttp } from '../faults/join-load.ts';
import { startDeployedHaproxy } from '../faults/overload/deployed-haproxy.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import {
  freePort,
  type HeldSocket,
  holdSocket,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts';
import {
  type DeployedProxy,
  readCaddyfileOfGuide,
  readDeployedCaddyfile,
  startCaddy,
  startNginx,
} from './deployed-proxies.ts';
import { findCaddy, findMissing, testUnless } from './programs.ts';

const KILLS = 6;
const RESTARTS = 20;
const VISITORS = 32;
/** Between one interruption and the next. */
const JOINS_BETWEEN = 200;
/** The test ends early. */
const ENOUGH_FAILURES = 1_000;

let folder: string;
let postgres: PostgresServer;
let ports: number[];
let servers: ServerProcess[] = [];
let socket: HeldSocket;
/** The one on the held socket. */
let single: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-killed-'));
  postgres = await startPostgres();
  ports = [await freePort(), await freePort()];
  servers = [await startNode(0), await startNode(1)];
  socket = await holdSocket();
  single = await startSingle();
});

afterEach(() => void vi.unstubAllGlobals());

afterAll(async () => {
  await Promise.all([...servers, single].map((server) => server.kill()));
  socket.close();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const settingsOf = (name: string, port: number | undefined) => ({
  PORT: String(port),
  DATA_DIR: join(folder, name),
  DATABASE_URL: postgres.url,
  SECRET_KEY: 'the same on all servers, as it must be',
  TRUST_PROXY: '127.0.0.1',
  LIMITS: 'off',
});

const startNode = (index: number) => startServer(settingsOf(`node${index}`, ports[index]));
const startSingle = () => startServer(settingsOf('single', socket.port), undefined, socket);

/** Its first join since it was started. */
async function untilItAnswersJoins(name: string, { url }: ServerProcess): Promise<void> {
  const token = readFileSync(join(folder, name, 'operator-token'), 'utf8').trim();
  const request = { headers: { authorization: `Bearer ${token}` } };
  const answered = /_count\{method="POST",route="\/api\/waitlist\/join",status="201"/;
  for (;;) {
    const metrics = await fetch(`${url}/metrics`, request);
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

/** Joins by the code of the site. */
const asTheSite: Join = async () => {
  const attempt = { email: `${randomUUID()}@example.com`, referredBy: null };
  await joinWaitlist({ ...attempt, idempotencyKey: randomUUID() });
  return null;
};

type Interruption = { readonly times: number; readonly again: (time: number) => Promise<void> };

/** Visitors join without a pause while servers end and start again. */
async function interruptUnderLoad(
  proxy: DeployedProxy,
  joinOnce: Join,
  { times, again }: Interruption,
) {
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
  for (let time = 0; time < times; time += 1) {
    await untilMoreJoins();
    await again(time);
  }
  await untilMoreJoins();
  isRunning = false;
  await Promise.all(visits);
  const members = (await countMembers(proxy.url)) - before;
  await proxy.stop();
  console.log(`${times} interruptions: ${joined} joins, ${failures.length} failed`);
  return { failures, unexplained: members - joined };
}

const killOfTwo: Interruption = {
  times: KILLS,
  async again(time) {
    const index = time % servers.length;
    await servers[index]?.kill();
    await delay(2_000);
    await startAgain(index);
  },
};
const restartOfTwo: Interruption = {
  times: RESTARTS,
  async again(time) {
    const index = time % servers.length;
    await servers[index]?.stop();
    await startAgain(index);
  },
};
const restartOfOne: Interruption = {
  times: RESTARTS,
  async again() {
    await single.stop();
    single = await startSingle();
  },
};

async function startAgain(index: number): Promise<void> {
  const server = await startNode(index);
  servers[index] = server;
  // The proxy has noticed that it is back.
  await untilItAnswersJoins(`node${index}`, server);
}

async function countMembers(url: string): Promise<number> {
  return ((await (await fetch(url + apiPaths.stats)).json()) as Stats).total_signups;
}

const nothingLost = { failures: [], unexplained: 0 };
const caddy = findCaddy();
const caddyPath = caddy?.path ?? '';
const noCaddy = caddy === null ? 'caddy not installed' : null;

describe('one of two servers is killed', () => {
  testUnless('behind Caddy', noCaddy ?? caddy?.unfit ?? null, async () => {
    const proxy = await startCaddy(caddyPath, readDeployedCaddyfile(ports, { canRepeat: true }));
    expect(await interruptUnderLoad(proxy, once, killOfTwo)).toEqual(nothingLost);
  });

  testUnless('behind a Caddy that cannot repeat a join, with the site', noCaddy, async () => {
    const proxy = await startCaddy(caddyPath, readDeployedCaddyfile(ports, { canRepeat: false }));
    expect(await interruptUnderLoad(proxy, asTheSite, killOfTwo)).toEqual(nothingLost);
  });

  testUnless('behind nginx', findMissing('nginx'), async () => {
    const proxy = await startNginx(ports);
    expect(await interruptUnderLoad(proxy, once, killOfTwo)).toEqual(nothingLost);
  });

  testUnless('behind HAProxy', findMissing('haproxy'), async () => {
    const { port, stop } = await startDeployedHaproxy(...ports);
    const proxy = { url: `http://127.0.0.1:${port}`, stop };
    expect(await interruptUnderLoad(proxy, once, killOfTwo)).toEqual(nothingLost);
  });
});

describe('servers restart', () => {
  testUnless('one of two behind Caddy', noCaddy, async () => {
    const proxy = await startCaddy(caddyPath, readDeployedCaddyfile(ports, { canRepeat: false }));
    expect(await interruptUnderLoad(proxy, once, restartOfTwo)).toEqual(nothingLost);
  });

  testUnless('one of two behind nginx', findMissing('nginx'), async () => {
    const proxy = await startNginx(ports);
    expect(await interruptUnderLoad(proxy, once, restartOfTwo)).toEqual(nothingLost);
  });

  testUnless('the only one behind Caddy', noCaddy, async () => {
    const proxy = await startCaddy(caddyPath, readCaddyfileOfGuide(socket.port));
    expect(await interruptUnderLoad(proxy, once, restartOfOne)).toEqual(nothingLost);
  });

  testUnless('the only one behind nginx', findMissing('nginx'), async () => {
    const proxy = await startNginx([socket.port]);
    expect(await interruptUnderLoad(proxy, once, restartOfOne)).toEqual(nothingLost);
  });
});
