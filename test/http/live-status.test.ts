/** Open status pages are notified of their member's moves: over real sockets, on both engines. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import type { App } from '../../server/app.ts';
import { oneEngine } from '../support/engines.ts';
import { type EventStream, openEventStream } from '../support/event-stream.ts';
import { provideApp } from './provide-app.ts';

const PROXY = { trustProxy: ['127.0.0.1'], isLimiting: true };

async function listen({ fastify }: App): Promise<string> {
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;
}

async function untilCounts(stream: EventStream, count: number): Promise<Member> {
  for (;;) {
    const message = await stream.next();
    if (message === null) throw new Error('the stream has ended');
    const member = JSON.parse(message) as Member;
    if (member.referral_count >= count) return member;
  }
}

describe.each(oneEngine)('an open status page on %s', (engine) => {
  const app = provideApp(engine);
  let url: string;
  const open = (id: string, at = url) => openEventStream(at + fillPath(apiPaths.live, id));
  beforeAll(async () => {
    url = await listen(app);
  });

  test('gets the status at once, and again when a friend is credited', async () => {
    const ada = await app.join('ada@example.com');
    const stream = await open(ada.id);
    expect(JSON.parse((await stream.next()) ?? '')).toEqual(await app.statusOf(ada.id));
    await app.join('friend@example.com', ada.referral_code);
    expect(await untilCounts(stream, 1)).toMatchObject({ id: ada.id, referral_count: 1 });
    stream.close();
  });

  test('is notified of its own member alone, and of nobody when it is closed', async () => {
    const [grace, edith] = [await app.join('grace@example.com'), await app.join('e@example.com')];
    const heard: string[] = [];
    const stop = await app.database.listen('standing_moved', {
      onMessage: (payload) => heard.push(payload),
      onReady() {},
    });
    const stream = await open(grace.id);
    await stream.next();
    await app.join('f1@example.com', edith.referral_code);
    await app.join('f2@example.com', grace.referral_code);
    await untilCounts(stream, 1);
    await expect.poll(() => heard).toEqual([grace.id]);
    stream.close();
    await expect.poll(() => app.sql('select * from live_member')).toEqual([]);
    await app.join('f3@example.com', grace.referral_code);
    await app.sql(`notify standing_moved, 'the end'`);
    await expect.poll(() => heard).toEqual([grace.id, 'the end']);
    await stop();
  });

  test('ends with the server, within a moment', async () => {
    const another = await app.openAnother();
    const { id } = await app.join('kept@example.com');
    const stream = await open(id, await listen(another));
    await stream.next();
    const readServers = () => app.sql('select id from live_server');
    await expect.poll(readServers).toHaveLength(2);
    const closed = another.close();
    expect(await stream.next()).toBeNull();
    await closed;
    expect(await readServers()).toHaveLength(1);
  });

  test('is refused to nobody in line, and to an address with very many', async () => {
    expect((await open('nobody')).status).toBe(404);
    const unknown = await open('00000000-0000-7000-8000-000000000000');
    expect([unknown.status, await unknown.next()]).toEqual([200, null]);

    const limited = await app.openAnother(PROXY);
    const at =
      (await listen(limited)) + fillPath(apiPaths.live, (await app.join('many@example.com')).id);
    const from = (address: string) => openEventStream(at, { 'x-forwarded-for': address });
    const office = await Promise.all(Array.from({ length: 300 }, () => from('192.0.2.1')));
    expect(office.every(({ status }) => status === 200)).toBe(true);
    expect((await from('192.0.2.1')).status).toBe(204);
    expect((await from('192.0.2.2')).status).toBe(200);
    office[0]?.close();
    await expect.poll(async () => (await from('192.0.2.1')).status).toBe(200);
    await limited.close();
  });
});

describe('two servers on one PostgreSQL', () => {
  const app = provideApp('postgres');
  let other: App;
  beforeAll(async () => {
    other = await app.openAnother();
  });
  afterAll(() => other.close());

  test('a page of one is notified of a friend who joins through the other', async () => {
    const ada = await app.join('ada@example.com');
    const stream = await openEventStream((await listen(other)) + fillPath(apiPaths.live, ada.id));
    await stream.next();
    await app.join('friend@example.com', ada.referral_code);
    expect((await untilCounts(stream, 1)).referral_count).toBe(1);

    // The connections break on which the servers listen, and the tables are lost as in a crash.
    await app.database.runSql(`
      begin;
      delete from live_server;
      select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen %';
      commit`);
    await app.join('meanwhile@example.com', ada.referral_code);
    expect((await untilCounts(stream, 2)).referral_count).toBe(2);
    await app.join('later@example.com', ada.referral_code);
    expect((await untilCounts(stream, 3)).referral_count).toBe(3);
    stream.close();
  });
});
