/** One client with more connections than a whole office, beside others who join. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace } from '../../support/engines.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { isLong } from '../../support/test-form.ts';
import { settingsOf } from '../backup-commands.ts';
import { CONNECTIONS, expectAnswered, GREEDY, joinMeanwhile, PROXY } from './joins-beside.ts';
import { runLoad } from './load-process.ts';

const KEPT_ALIVE = 11_000;
const SECONDS = isLong ? 30 : 5;

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

test(`${CONNECTIONS} connections that ask without end leave other joins answered`, async () => {
  const port = await start();
  const closed = { closed: { inFlight: CONNECTIONS } };
  const flood = runLoad({ port, from: GREEDY, seconds: SECONDS, offer: closed }, []);
  expectAnswered(`${CONNECTIONS} greedy connections`, await joinMeanwhile(server.url, flood));
  const { half, refusedWithoutRetryAfter } = await flood;
  expect({ half, refusedWithoutRetryAfter }).toEqual({ half: 0, refusedWithoutRetryAfter: 0 });
});

if (isLong) {
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
    expectAnswered(`${KEPT_ALIVE} idle connections`, await joinMeanwhile(server.url, idle));
  });
}
