/** A restart on a socket that is held meanwhile, as by deploy/waitlist.socket, loses no join. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { freePort, holdSocket, startServer } from '../support/server-process.ts';

const VISITORS = 8;
const JOINS_BETWEEN = 20;

let place: DatabasePlace;
beforeEach(async () => {
  place = await createMigratedPlace('embedded');
});
afterEach(() => place.remove());

test('visitors wait for the next server, and none is refused', async () => {
  const socket = await holdSocket();
  const settings = { DATA_DIR: place.dataDir, PORT: String(socket.port), LIMITS: 'off' };
  const start = () => startServer(settings, undefined, socket);
  let server = await start();
  const refused: unknown[] = [];
  let joined = 0;
  let isRunning = true;
  async function visit(): Promise<void> {
    while (isRunning) {
      const answer = await fetch(server.url + apiPaths.join, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ email: `${randomUUID()}@example.com`, referred_by: null }),
      }).catch((error: unknown) => error);
      if (answer instanceof Response && answer.status === 201) joined += 1;
      else refused.push(answer instanceof Response ? await answer.text() : answer);
    }
  }
  const untilMoreJoins = () => {
    const enough = joined + JOINS_BETWEEN;
    return expect.poll(() => joined, { timeout: 60_000 }).toBeGreaterThan(enough);
  };
  const visits = Array.from({ length: VISITORS }, visit);
  await untilMoreJoins();
  expect(await server.stop()).toBe(0);
  server = await start();
  await untilMoreJoins();
  isRunning = false;
  await Promise.all(visits);
  await server.stop();
  socket.close();
  expect(refused).toEqual([]);
});

test('a socket at another port than that of the settings is refused', async () => {
  const socket = await holdSocket();
  const settings = { DATA_DIR: place.dataDir, PORT: String(await freePort()) };
  await expect(startServer(settings, undefined, socket)).rejects.toThrow('Make them the same.');
  socket.close();
});
