/** Events that follow from changes of the line and of offers, and how long they are kept. */
import { beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { EVENT_KINDS } from '../../../contract/operator/webhooks/webhooks.ts';
import { inTransaction, type Transaction } from '../../../server/db/transaction.ts';
import { scanPass, undoScan } from '../../../server/drop/hand-over/scan-pass.ts';
import { acceptOffer, declineOffer } from '../../../server/drop/offers/settle-offer.ts';
import { redeemPass, reissuePass } from '../../../server/drop/passes/passes.ts';
import { closeDrop } from '../../../server/drop/steps/close-drop.ts';
import { startOffers } from '../../../server/drop/steps/start-offers.ts';
import { makeOffers } from '../../../server/drop/steps/sweep-offers.ts';
import { cancelPass } from '../../../server/drop/till/settle-payment.ts';
import { removeMember } from '../../../server/line/change-member.ts';
import { deleteOldDeliveries } from '../../../server/webhooks/delivery-store.ts';
import { selectMembers } from '../../line/offer-steps.ts';
import { oneEngine } from '../../support/engines.ts';
import { tellStory } from '../../support/tell-story.ts';
import { beginAnew, provideWebhookApp } from './webhook-app.ts';

describe.each(oneEngine)('events on %s', (engine) => {
  const app = provideWebhookApp(engine);
  const needed = brand.tiers[0]?.requiredReferrals ?? 0;
  const countRecorded = async () => (await app.sql('select from line_event')).length;

  let endpointId: string;
  const step = tellStory('goes through one step after the other');

  step('nothing is recorded without an endpoint', async () => {
    await app.join('first@example.com');
    expect(await countRecorded()).toBe(0);
  });

  step('a join, its credit, the tier it reaches and a removal, in this order', async () => {
    const endpoint = await app.add(EVENT_KINDS);
    endpointId = endpoint.id;
    app.receiver.secrets = [endpoint.secret];
    const ada = await app.join('ada@example.com');
    const friends: { id: string }[] = [];
    for (let index = 0; index < needed; index += 1)
      friends.push(await app.join(`friend${index}@example.com`, ada.referral_code));
    await removeMember(app.database, { memberId: friends[0]?.id ?? '' });
    const wanted = 1 + 2 * needed + 1 + 1;
    const received = await app.receiver.waitFor(wanted);
    expect(app.receiver.forged()).toBe(0);
    expect(new Set(received.map(({ id }) => id)).size).toBe(wanted);

    const aboutAda = received.filter(({ data }) => data.member_id === ada.id);
    expect(aboutAda.map(({ type }) => type)).toEqual([
      'member.joined',
      ...Array(needed).fill('member.credited'),
      'tier.reached',
    ]);
    expect(aboutAda[1]?.data).toMatchObject({
      friend_id: friends[0]?.id,
      referral_count: 1,
      member: { id: ada.id, email: 'ada@example.com' },
    });
    expect(aboutAda.at(-1)?.data).toMatchObject({
      tier_level: 1,
      reward: brand.tiers[0]?.reward,
      referral_count: needed,
    });
    const [left] = received.filter(({ type }) => type === 'member.left');
    expect(left?.data).toEqual({ member_id: friends[0]?.id });
    const log = await app.untilLogged(endpointId, (entries) =>
      entries.every(({ state }) => state === 'delivered'),
    );
    expect(log).toHaveLength(wanted);
    expect(log[0]).toMatchObject({ status: 200, answer: 'thanks', attempts: 1, cause: null });
  });

  step('friends of one batch are counted one after the other', async () => {
    const ada = await app.join('grace@example.com');
    const before = await countRecorded();
    const seen = app.receiver.events.length;
    await Promise.all(
      Array.from({ length: needed + 2 }, (_, index) =>
        app.join(`together${index}@example.com`, ada.referral_code),
      ),
    );
    // One batch may begin before all requests are read.
    expect((await countRecorded()) - before).toBeLessThanOrEqual(3);
    await app.receiver.waitFor(seen + 2 * (needed + 2) + 2);
    const credits = app.receiver.events.filter(
      ({ type, data }) => type === 'member.credited' && data.member_id === ada.id,
    );
    expect(credits.map(({ data }) => data.referral_count)).toEqual(
      Array.from({ length: needed + 2 }, (_, index) => index + 1),
    );
    const tiers = app.receiver.events.filter(
      ({ type, data }) => type === 'tier.reached' && data.member_id === ada.id,
    );
    expect(tiers.map(({ data }) => data.tier_level)).toEqual([1]);
  });

  step('an event about an erased member carries only the id', async () => {
    app.receiver.answer = (response) => void response.writeHead(500).end('no for ida@example.com');
    const { id } = await app.join('ida@example.com');
    const find = () => app.receiver.events.filter(({ data }) => data.member_id === id);
    await expect.poll(() => find().length).toBe(1);
    await app.untilLogged(endpointId, ([entry]) => entry?.status === 500);
    await removeMember(app.database, { memberId: id });
    app.receiver.answer = (response) => void response.writeHead(200).end();
    await app.hurry();
    await expect
      .poll(() => find().map(({ type }) => type))
      .toEqual(['member.joined', 'member.joined', 'member.left']);
    const [first, again] = find();
    expect(again?.id).toBe(first?.id);
    expect(first?.data.member).toMatchObject({ email: 'ida@example.com' });
    expect(again?.data).toEqual({ member_id: id, member: null });
    const stored = await app.sql<{ text: string }>(`
      select row_to_json(webhook_delivery)::text || ' ' as text from webhook_delivery
      union all select row_to_json(line_event)::text from line_event`);
    expect(stored.filter(({ text }) => text.includes('@'))).toEqual([]);
  });
});

describe('a credit that waits for a confirmation', () => {
  const app = provideWebhookApp('postgres', { referralCredit: 'confirm' });

  test('is an event once it is given', async () => {
    await app.add(['member.credited']);
    const ada = await app.join('ada@example.com');
    const friend = await app.join('friend@example.com', ada.referral_code);
    const confirm = () => app.sql(`select confirm_member('${friend.id}')`);
    await confirm();
    const [credited] = await app.receiver.waitFor(1);
    expect(credited?.data).toMatchObject({
      member_id: ada.id,
      friend_id: friend.id,
      referral_count: 1,
    });
    await confirm();
    for (const state of ['held', 'given'])
      await app.sql(`select set_credits(array['${friend.id}']::uuid[], '${state}')`);
    const again = await app.receiver.waitFor(2);
    expect(again).toHaveLength(2);
    expect(again[1]?.id).not.toBe(credited?.id);
  });
});

describe.each(oneEngine)('events of offers on %s', (engine) => {
  const MEMBERS = 24;
  const app = provideWebhookApp(engine);
  const ids: string[] = [];
  beforeAll(async () => {
    ids.push(...(await app.joinGhosts(MEMBERS)));
    await selectMembers(app.database, ids, []);
  });
  const take = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    inTransaction(app.database, work);
  const reported = (id?: string) =>
    app.receiver.events.filter(({ data }) => data.member_id === id).map(({ type }) => type);

  const step = tellStory('are sent as they happen, and those of a pass with them');

  step('each comes once and in order, with joins and removals at the same time', async () => {
    const { secret } = await app.add(EVENT_KINDS);
    app.receiver.secrets = [secret];
    const { database } = app;
    await take(async (transaction) => {
      await startOffers(transaction, { minutes: 720, time_zone: 'UTC' });
      await makeOffers(transaction);
    });
    await Promise.all([
      ...ids
        .slice(0, 16)
        .map((id, index) =>
          take<unknown>((one) => (index % 2 === 0 ? acceptOffer : declineOffer)(one, id)),
        ),
      ...ids.slice(16, 20).map((memberId) => removeMember(database, { memberId })),
      ...[1, 2, 3, 4].map((index) => app.join(`late${index}@example.com`)),
    ]);
    // Events of an offer come before later events of its member.
    await removeMember(database, { memberId: ids[0] ?? '' });
    await take(makeOffers);
    await take(closeDrop);
    const wanted = MEMBERS + 16 + 4 + 4 + 2 + 8;
    const received = await app.receiver.waitFor(wanted);
    expect(new Set(received.map(({ id }) => id)).size).toBe(wanted);
    expect(reported(ids[0])).toEqual([
      'offer.made',
      'offer.accepted',
      'member.left',
      'pass.cancelled',
    ]);
    expect(reported(ids[1])).toEqual(['offer.made', 'offer.declined']);
    expect(reported(ids[16])).toEqual(['offer.made', 'member.left', 'offer.expired']);
    expect(reported(ids[20])).toEqual(['offer.made', 'offer.expired']);
    const [, accepted] = app.receiver.events.filter(({ data }) => data.member_id === ids[2]);
    expect(accepted?.data).toMatchObject({
      member: { id: ids[2] },
      offer: { drop: 1, state: 'accepted', order: null },
    });
    expect(JSON.stringify(accepted?.data)).not.toContain('"code"');
  });

  step('a pass that is paid, handed over, cancelled or reissued is an event', async () => {
    const own = `select code from offer where member_id = '${ids[2]}'`;
    const code = String((await app.sql(own))[0]?.code);
    for (let time = 0; time < 2; time += 1)
      await take((one) => redeemPass(one, { code, order: '#1' }));
    const actor = { kind: 'system', id: null, name: 'Vera' } as const;
    const door = { actor, onlyPaid: true };
    for (const scan of ['tap', 'again']) {
      await take((one) => scanPass(one, { code, scan }, door));
      if (scan === 'tap') await take((one) => undoScan(one, { code, scan }, actor));
    }
    await take((one) => cancelPass(one, code));
    await take((one) => reissuePass(one, code));
    const handed = ['pass.handed_over', 'pass.handed_over'];
    const wanted = ['pass.redeemed', ...handed, 'pass.cancelled', 'offer.accepted'];
    await expect.poll(() => reported(ids[2])).toEqual(['offer.made', 'offer.accepted', ...wanted]);
  });
});

describe.each(oneEngine)('the upkeep of webhooks on %s', (engine) => {
  const app = provideWebhookApp(engine);
  const { sql } = app;
  beginAnew(app);
  /** A claim of another server. One beyond 30 s would count as a clock set back. */
  const claimElsewhere = () =>
    sql(`insert into work (kind, key, progress, due_at, claim, claimed_until)
      select 'webhook', id, '{}', now(), gen_random_uuid(),
        clock_timestamp() + interval '25 seconds'
      from webhook_endpoint
      on conflict (kind, key) do update
      set claim = excluded.claim, claimed_until = excluded.claimed_until`);
  /** Inserts deliveries a second apart, the first of them `ago`. */
  const log = (endpointId: string, count: number, ago: string, state = 'delivered') =>
    sql(`insert into webhook_delivery (
        endpoint_id, event_id, kind, happened_at, sequence, ordinal, state, created_at, next_at)
      select '${endpointId}', '${state} ' || number, 'member.joined', now(), 0, number, '${state}',
        now() - interval '${ago}' + number * interval '1 second', now() + interval '30 minutes'
      from generate_series(1, ${count}) number`);

  test('the log keeps 7 days, 10,000 deliveries of each endpoint, and what waits', async () => {
    const [few, many] = [await app.add(['member.left']), await app.add(['member.left'])];
    await claimElsewhere();
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
    for (const name of ['one', 'two', 'three']) await app.join(`${name}@example.com`);
    await app.untilLogged(id, (all) => all.filter((one) => one.state === 'delivered').length === 3);
    const rows = async () =>
      (await sql<{ sequence: number }>('select sequence from line_event order by 1')).map(
        ({ sequence }) => sequence,
      );
    const all = await rows();
    expect(all).toHaveLength(3);
    await claimElsewhere();
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
    expect(await app.post('/operator/api/webhooks', wanted)).toEqual({
      status: 409,
      detail: 'There are 20 endpoints: remove one first.',
    });
    const { endpoints } = await app.read('/operator/api/webhooks');
    expect(endpoints).toHaveLength(20);
    await app.tell(endpoints[0].id, 'remove');
    expect(await app.post('/operator/api/webhooks', wanted)).toMatchObject({ status: 201 });
  });
});
