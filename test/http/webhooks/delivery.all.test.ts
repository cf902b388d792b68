/** Receivers that work, fail, hang or are gone, and the log of their deliveries. */
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type {
  EndpointWithSecret,
  WholeEndpoint,
} from '../../../contract/operator/webhooks/webhooks.ts';
import { oneEngine } from '../../support/engines.ts';
import { type Answer, startReceiver } from '../../support/webhook-receiver.ts';
import { openWebhookApp, type WebhookApp } from './webhook-app.ts';

let app: WebhookApp;
afterEach(() => app.remove());

const answerWith =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end('');

/** Moves the first attempt and the first failure into the past. */
async function makeOlder(hours: number): Promise<void> {
  await sql`update webhook_delivery set first_attempt_at =
    first_attempt_at - make_interval(hours => ${hours})`.execute(app.database.kysely);
  await sql`update webhook_endpoint set failing_since =
    failing_since - make_interval(hours => ${hours})`.execute(app.database.kysely);
}

describe.each(oneEngine)('deliveries on %s', (engine) => {
  test('a refused event is sent again under its id, until it is taken', async () => {
    app = await openWebhookApp(engine);
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = answerWith(500);
    await app.join('ada@example.com');
    const [failed] = await app.untilLogged(id, ([entry]) => entry?.attempts === 1);
    expect(failed).toMatchObject({ state: 'waiting', status: 500, cause: 'status 500' });
    const inMs = Date.parse(failed?.next_attempt_at ?? '') - Date.now();
    expect(inMs).toBeGreaterThan(0);
    expect(inMs).toBeLessThan(7_000);
    const read = async () => (await app.call('GET', `webhooks/${id}`)).body as WholeEndpoint;
    expect(await read()).toMatchObject({ failures: 1, next_attempt_at: failed?.next_attempt_at });
    await app.hurry();
    await app.untilLogged(id, ([entry]) => entry?.attempts === 2);
    app.receiver.answer = answerWith(204);
    await app.hurry();
    const [taken] = await app.untilLogged(id, ([entry]) => entry?.state === 'delivered');
    expect(taken).toMatchObject({ attempts: 3, status: 204, cause: null, next_attempt_at: null });
    expect(await read()).toMatchObject({ failures: 0, next_attempt_at: null });
    expect(new Set(app.receiver.events.map((event) => event.id)).size).toBe(1);
  });

  test('an event that fails for a day is given up, and later ones arrive', async () => {
    app = await openWebhookApp(engine);
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = (response, { data }) => {
      const { email } = data.member as { email: string };
      response.writeHead(email.startsWith('poison') ? 500 : 200).end();
    };
    await app.join('poison@example.com');
    await app.untilLogged(id, ([entry]) => entry?.attempts === 1);
    for (let index = 0; index < 6; index += 1) await app.join(`fine${index}@example.com`);
    await app.receiver.waitFor(7);
    await makeOlder(25);
    await app.hurry();
    const log = await app.untilLogged(id, (entries) =>
      entries.every(({ state }) => state !== 'waiting'),
    );
    expect(log.filter(({ state }) => state === 'given_up')).toHaveLength(1);
    expect(log.filter(({ state }) => state === 'delivered')).toHaveLength(6);
  });

  test('a receiver that is down for days is switched off with a sentence', async () => {
    app = await openWebhookApp(engine);
    const gone = await startReceiver();
    await gone.close();
    const { id } = await app.add(['member.joined', 'member.left'], gone.url);
    await app.join('ada@example.com');
    await app.untilLogged(id, ([entry]) => entry?.cause === 'connection refused');
    await makeOlder(73);
    await app.hurry();
    const read = async () => (await app.call('GET', `webhooks/${id}`)).body as WholeEndpoint;
    await expect.poll(async () => (await read()).is_on).toBe(false);
    expect((await read()).off_reason).toMatch(
      /^Switched off: 2 attempts in a row failed since .*, the last with "connection refused"\.$/,
    );
    await app.join('grace@example.com');
    const { rows } = await sql`select from line_event`.execute(app.database.kysely);
    expect(rows).toHaveLength(1);
    const { body } = await app.call('GET', 'changes');
    expect(JSON.stringify(body)).toContain('The server switched off the webhook');
  });

  test('only events about the same member wait for each other', async () => {
    app = await openWebhookApp(engine);
    await app.add(['member.joined', 'member.left']);
    app.receiver.answer = answerWith(503);
    const { id } = await app.join('ada@example.com');
    await app.receiver.waitFor(1);
    await sql`select remove_members(array[${id}]::uuid[], null, null)`.execute(app.database.kysely);
    app.receiver.answer = answerWith(200);
    await app.join('grace@example.com');
    await expect.poll(() => app.receiver.events.length).toBe(2);
    expect(app.receiver.events[1]?.type).toBe('member.joined');
    await app.hurry();
    const events = await app.receiver.waitFor(4);
    const about = events.filter(({ data }) => data.member_id === id);
    expect(about.map(({ type }) => type)).toEqual([
      'member.joined',
      'member.joined',
      'member.left',
    ]);
  });

  test('a hanging receiver delays neither joins nor another endpoint', async () => {
    app = await openWebhookApp(engine);
    const hanging = await startReceiver();
    hanging.answer = () => {};
    await app.add(['member.joined'], hanging.url);
    await app.add(['member.joined']);
    for (let index = 0; index < 12; index += 1) await app.join(`ghost${index}@example.com`);
    const events = await app.receiver.waitFor(12);
    const emails = events.map(({ data }) => (data.member as { email: string }).email);
    expect(new Set(emails).size).toBe(12);
    await hanging.waitFor(4);
    // Whatever finds this later event would begin a fifth attempt on the first endpoint, too.
    await app.join('late@example.com');
    await app.receiver.waitFor(13);
    expect(hanging.events).toHaveLength(4);
    expect(hanging.mostAtOnce()).toBe(4);
    await hanging.close();
  });

  test('several servers deliver each event once, and begin in the order of joining', async () => {
    app = await openWebhookApp(engine);
    const peers = engine === 'postgres' ? [await app.openAnother(), await app.openAnother()] : [];
    const { id } = await app.add(['member.joined']);
    const joined: string[] = [];
    for (let index = 0; index < 40; index += 1)
      joined.push((await app.join(`ghost${index}@example.com`)).id);
    await app.untilLogged(
      id,
      (entries) => entries.filter(({ state }) => state === 'delivered').length === 40,
    );
    // Servers that end wait for what they have begun to send.
    for (const server of [...peers, app]) await server.close();
    const { events } = app.receiver;
    expect(events).toHaveLength(40);
    const order = events.map(({ data }) => joined.indexOf(data.member_id));
    // Four are under way at once, so none comes before more than three that were to come first.
    for (const [place, index] of order.entries()) expect(index - place).toBeLessThan(4);
  });
});

test.each([
  ['a redirect', answerWith(302, { location: '/elsewhere' }), 'redirects are not followed'],
  [
    'a connection that closes',
    ((response) => void response.destroy()) as Answer,
    'connection lost',
  ],
])('%s is a failure that is tried again', async (_name, answer, cause) => {
  app = await openWebhookApp('postgres');
  const { id } = await app.add(['member.joined']);
  app.receiver.answer = answer;
  await app.join('ada@example.com');
  const [entry] = await app.untilLogged(id, ([first]) => first?.attempts === 1);
  expect(entry).toMatchObject({ state: 'waiting', cause });
  expect(app.receiver.events).toHaveLength(1);
});

test('after 410 the endpoint is switched off at once', async () => {
  app = await openWebhookApp('postgres');
  const { id } = await app.add(['member.joined']);
  app.receiver.answer = answerWith(410);
  await app.join('ada@example.com');
  await app.untilLogged(id, ([entry]) => entry?.state === 'given_up');
  const { body } = await app.call('GET', `webhooks/${id}`);
  expect((body as WholeEndpoint).off_reason).toContain('the receiver wants no more events');
});

test('after five failures one event at a time is tried, and all once it is back', async () => {
  app = await openWebhookApp('postgres');
  const { id } = await app.add(['member.joined']);
  app.receiver.answer = answerWith(503);
  for (let index = 0; index < 20; index += 1) await app.join(`ghost${index}@example.com`);
  const read = async () => (await app.call('GET', `webhooks/${id}`)).body as WholeEndpoint;
  await expect.poll(async () => (await read()).failures).toBeGreaterThanOrEqual(5);
  await expect.poll(async () => (await read()).next_attempt_at).not.toBe(null);
  const tried = app.receiver.events.length;
  expect(tried).toBeLessThan(12);
  app.receiver.answer = answerWith(200);
  await sql`update webhook_endpoint set retry_at = null`.execute(app.database.kysely);
  await app.untilLogged(
    id,
    (entries) => entries.filter(({ state }) => state === 'delivered').length === 20,
  );
  expect(await read()).toMatchObject({ failures: 0, failing_since: null, waiting: 0 });
});

test('a rotated secret signs beside the one before, and a second rotation ends that', async () => {
  app = await openWebhookApp('postgres');
  const first = await app.add(['member.joined']);
  const rotate = async () => {
    const { body } = await app.call('POST', `webhooks/${first.id}/rotate`, { reason: 'leaked' });
    return body as EndpointWithSecret;
  };
  const second = await rotate();
  expect(Date.parse(second.old_secret_until ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  for (const secrets of [[first.secret], [second.secret]]) {
    app.receiver.secrets = secrets;
    const { body } = await app.call('POST', `webhooks/${first.id}/test`);
    expect(body).toMatchObject({ kind: 'webhook.test', status: 200 });
  }
  await rotate();
  app.receiver.secrets = [first.secret];
  const { body } = await app.call('POST', `webhooks/${first.id}/test`);
  expect(body).toMatchObject({ status: 401, state: 'given_up' });
  const text = JSON.stringify((await app.call('GET', 'changes')).body);
  for (const secret of ['whsec_', 'very-secret', first.secret.slice(6)])
    expect(text).not.toContain(secret);
});

test('a delivery is replayed under its id, whatever became of it', async () => {
  app = await openWebhookApp('postgres');
  const { id } = await app.add(['member.joined']);
  await app.join('ada@example.com');
  const [first] = await app.untilLogged(id, ([entry]) => entry?.state === 'delivered');
  const replay = async (delivery = '') =>
    (await app.call('POST', `webhook-deliveries/${delivery}/replay`)).body;
  expect(await replay(first?.id)).toMatchObject({ event_id: first?.event_id, state: 'delivered' });
  expect(app.receiver.events.map((event) => event.id)).toEqual([first?.event_id, first?.event_id]);
  expect(await app.log(id)).toHaveLength(2);

  app.receiver.answer = answerWith(500);
  await app.join('grace@example.com');
  const [waiting] = await app.untilLogged(id, ([entry]) => entry?.status === 500);
  app.receiver.answer = answerWith(200);
  expect(await replay(waiting?.id)).toMatchObject({ id: waiting?.id, state: 'delivered' });
  expect(await app.log(id)).toHaveLength(3);
  const { status } = await app.call('POST', `webhook-deliveries/${id}/replay`);
  expect(status).toBe(404);
});
