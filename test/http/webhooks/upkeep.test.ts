/** Retention of deliveries and events, and the limit of endpoints, on both engines. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deleteOldDeliveries } from '../../../server/webhooks/delivery-store.ts';
import { oneEngine } from '../../support/engines.ts';
import { openWebhookApp, type WebhookApp } from './webhook-app.ts';

describe.each(oneEngine)('the upkeep of webhooks on %s', (engine) => {
  let app: WebhookApp;
  beforeAll(async () => {
    app = await openWebhookApp(engine);
  });
  afterAll(() => app.remove());

  const sql = async (query: string) => (await app.database.runSql(query)).rows;
  afterEach(() => sql('delete from webhook_endpoint'));
  /** A lease of another server. One beyond 30 s would count as a clock set back. */
  const leaseElsewhere = () =>
    sql(`update webhook_endpoint
      set held_by = gen_random_uuid(), held_until = clock_timestamp() + interval '25 seconds'`);
  /** Inserts deliveries a second apart, the first of them `ago`. */
  const log = (endpointId: string, count: number, ago: string, state = 'delivered') =>
    sql(`insert into webhook_delivery (
        endpoint_id, event_id, kind, happened_at, sequence, ordinal, state, created_at, next_at)
      select '${endpointId}', '${state} ' || number, 'member.joined', now(), 0, number, '${state}',
        now() - interval '${ago}' + number * interval '1 second', now() + interval '30 minutes'
      from generate_series(1, ${count}) number`);

  test('the log keeps 7 days, 10,000 deliveries of each endpoint, and what waits', async () => {
    const [few, many] = [await app.add(['member.left']), await app.add(['member.left'])];
    await leaseElsewhere();
    await log(few.id, 2, '7 days 1 minute');
    await log(few.id, 2, '8 days', 'waiting');
    await log(few.id, 2, '6 days');
    await log(many.id, 10_005, '6 days');
    await deleteOldDeliveries(app.database);
    const kept = (id: string) =>
      sql(`select state, count(*)::integer as rows, min(ordinal) as first from webhook_delivery
        where endpoint_id = '${id}' group by state order by state`);
    expect(await kept(few.id)).toEqual([
      { state: 'delivered', rows: 2, first: 1 },
      { state: 'waiting', rows: 2, first: 1 },
    ]);
    expect(await kept(many.id)).toEqual([{ state: 'delivered', rows: 10_000, first: 6 }]);
    await sql('delete from webhook_endpoint');
    expect(await sql('select from webhook_delivery')).toEqual([]);
  });

  test('events stay until every active endpoint has them, and the last one always', async () => {
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = (response) => void response.writeHead(200).end();
    for (const name of ['one', 'two', 'three']) await app.join(`${name}@example.com`);
    await app.untilLogged(id, (all) => all.filter((one) => one.state === 'delivered').length === 3);
    const rows = async () =>
      ((await sql('select sequence from line_event order by 1')) as { sequence: number }[]).map(
        ({ sequence }) => sequence,
      );
    const all = await rows();
    expect(all).toHaveLength(3);
    await leaseElsewhere();
    await sql(`update webhook_endpoint set next_sequence = ${all[1]}`);
    await deleteOldDeliveries(app.database);
    expect(await rows()).toEqual(all.slice(1));
    await sql(`update webhook_endpoint set next_sequence = ${(all[2] ?? 0) + 1}`);
    await deleteOldDeliveries(app.database);
    expect(await rows()).toEqual(all.slice(2));
  });

  test('there are 20 endpoints at most', async () => {
    for (let count = 0; count < 20; count += 1) await app.add(['member.left']);
    const wanted = { url: app.receiver.url, events: ['member.left'], reason: 'one more' };
    const refused = await app.call('POST', 'webhooks', wanted);
    expect(refused).toEqual({
      status: 409,
      body: { detail: 'There are 20 endpoints: remove one first.' },
    });
    const { endpoints } = (await app.call('GET', 'webhooks')).body as {
      endpoints: { id: string }[];
    };
    expect(endpoints).toHaveLength(20);
    await app.call('POST', `webhooks/${endpoints[0]?.id}/remove`, { reason: 'too many' });
    expect((await app.call('POST', 'webhooks', wanted)).status).toBe(201);
  });
});
