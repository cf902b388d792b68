/** Visitors do not notice a mail server that is down, and its mails leave as soon as it is back. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMigratedPlace, defaultEngine } from '../support/engines.ts';
import { freePort, type ServerProcess, startServer } from '../support/server-process.ts';
import { openSilentNetwork } from '../support/silent-network.ts';
import { headerOf, startMailbox } from '../support/smtp-mailbox.ts';
import { isLong } from '../support/test-form.ts';
import { settingsOf } from './backup-commands.ts';
import { recordFault } from './fault-record.ts';
import { joinOverHttp } from './join-load.ts';
import { untilMailIsSettled } from './settled-mail.ts';

const ROUNDS = isLong ? 2 : 1;
const JOINS = isLong ? 50 : 10;
const DOWN_MS = isLong ? 12_000 : 1_500;
/** Time limits are checked in the long form only, which runs on an idle machine. */
const MAILED_WITHIN_MS = 10_000;
/** How much longer the median join may take than with a mail server. */
const MAX_SLOWER_MS = 25;

/** Ways to be down: refuses connections, accepts and hangs, or drops all packets. */
const WAYS = ['refuses', 'hangs', 'silent'] as const;

/** The short form mostly waits, so it may run concurrently; the long form is timed. */
const testEach = isLong ? test.for(defaultEngine) : test.concurrent.for(defaultEngine);

testEach(
  'a mail server that is down delays no join on %s, and each mail leaves once when it is back',
  async (engine, { onTestFinished }) => {
    const place = await createMigratedPlace(engine);
    const port = await freePort();
    /** The last one is the current one. */
    const boxes = [await startMailbox({ port })];
    const mails = () => boxes.flatMap((box) => box.mails);
    const network = await openSilentNetwork(port);
    const server = await startServer({
      ...settingsOf(place),
      LIMITS: 'off',
      MAIL_RATE: '1000',
      SMTP_URL: `smtp://127.0.0.1:${network.port}`,
    });
    onTestFinished(() => server.kill());
    const joined: string[] = [];
    const readyMs: number[] = [];
    const hasArrived = () => mails().length >= joined.length;

    async function takeDown(way: (typeof WAYS)[number]): Promise<() => Promise<void>> {
      if (way === 'silent') {
        network.silence();
        return async () => network.restore();
      }
      await boxes.at(-1)?.close();
      const closeHanging = way === 'hangs' ? await hangAt(port) : async () => {};
      return async () => {
        await closeHanging();
        boxes.push(await startMailbox({ port }));
      };
    }

    const usualMs = await joinSome(server, 'usual', joined);
    while (!hasArrived()) await delay(20);
    for (let round = 1; round <= ROUNDS; round += 1)
      for (const way of WAYS) {
        const bringBack = await takeDown(way);
        const downMs = await joinSome(server, `${way}${round}`, joined);
        await delay(DOWN_MS);
        expect(hasArrived()).toBe(false);
        await bringBack();
        const since = performance.now();
        while (!hasArrived()) await delay(20);
        readyMs.push(performance.now() - since);
        if (isLong) expect(downMs, way).toBeLessThan(usualMs + MAX_SLOWER_MS);
      }
    await untilMailIsSettled(server.url, place);
    expect(await server.stop()).toBe(0);
    network.close();
    await boxes.at(-1)?.close();
    await place.remove();

    const received = mails().map(({ to }) => to[0] ?? '');
    const lost = joined.filter((email) => !received.includes(email));
    const ids = new Set(mails().map((mail) => headerOf(mail, 'Message-ID')));
    recordFault({
      fault: `Mail server gone, ${engine}`,
      trials: readyMs.length,
      acknowledged: joined.length,
      lost: lost.length,
      duplicated: received.length - ids.size,
      readyMs,
    });
    expect({ lost, ids: ids.size, received: received.length }).toEqual({
      lost: [],
      ids: joined.length,
      received: joined.length,
    });
    if (isLong) expect(Math.max(...readyMs)).toBeLessThan(MAILED_WITHIN_MS);
  },
);

/** Joins one after the other; returns the median duration. */
async function joinSome({ url }: ServerProcess, name: string, joined: string[]): Promise<number> {
  const tookMs: number[] = [];
  for (let index = 0; index < JOINS; index += 1) {
    const email = `${name}-${index}@example.com`;
    const since = performance.now();
    expect((await joinOverHttp(url, email, null)).status).toBe(201);
    tookMs.push(performance.now() - since);
    joined.push(email);
  }
  return tookMs.sort((a, b) => a - b)[Math.floor(JOINS / 2)] ?? 0;
}

/** A server that accepts every connection and never answers. */
async function hangAt(port: number): Promise<() => Promise<void>> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
}
