/** No event is lost when servers are killed, and those under way come again under their ids. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { createMigratedPlace, oneEngine } from '../support/engines.ts';
import { callAs, readToken } from '../support/operator-call.ts';
import { startServer } from '../support/server-process.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { settingsOf } from './backup-commands.ts';
import { joinOverHttp } from './join-load.ts';

const MEMBERS = 40;
/** Attempts at a time on one endpoint. */
const UNDER_WAY = 4;

test.each(oneEngine)('on %s, two kills while events are sent lose none', async (engine) => {
  const place = await createMigratedPlace(engine);
  const receiver = await startReceiver();
  const settings = { ...settingsOf(place), LIMITS: 'off', WEBHOOK_NETWORKS: '127.0.0.1' };
  let server = await startServer(settings);
  const hook = { url: receiver.url, events: ['member.joined'], reason: 'a test' };
  await callAs(readToken(place.dataDir), server.url + operatorPaths.webhooks, hook);
  let killAfter = 5;
  const reached = () => Promise.withResolvers<void>();
  let waiting = reached();
  receiver.answer = async (response) => {
    if (receiver.events.length === killAfter) waiting.resolve();
    await delay(30);
    response.writeHead(200).end();
  };

  const joined: string[] = [];
  for (const kill of [5, 15]) {
    killAfter = receiver.events.length + kill;
    waiting = reached();
    for (let index = 0; index < MEMBERS / 2; index += 1) {
      const email = `ghost${kill}-${index}@example.com`;
      const answer = await joinOverHttp(server.url, email, null).catch(() => null);
      if (answer?.status === 201) joined.push(email);
    }
    await waiting.promise;
    await server.kill();
    server = await startServer(settings);
  }

  const emailOf = ({ data }: { data: object }) =>
    (data as { member: { email: string } }).member.email;
  await expect
    .poll(() => new Set(receiver.events.map(emailOf)).size, { timeout: 60_000 })
    .toBe(joined.length);
  expect([...new Set(receiver.events.map(emailOf))].sort()).toEqual(joined.sort());
  const ids = new Map(joined.map((email) => [email, new Set<string>()]));
  for (const event of receiver.events) ids.get(emailOf(event))?.add(event.id);
  for (const set of ids.values()) expect(set.size).toBe(1);
  expect(receiver.events.length - joined.length).toBeLessThanOrEqual(2 * UNDER_WAY);
  await server.stop();
  await receiver.close();
  await place.remove();
});
