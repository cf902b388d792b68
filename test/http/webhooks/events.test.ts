/** Events that follow from changes of the line, and their contents. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { EVENT_KINDS } from '../../../contract/operator/webhooks/webhooks.ts';
import { removeMember } from '../../../server/line/change-member.ts';
import { oneEngine } from '../../support/engines.ts';
import { tellStory } from '../../support/tell-story.ts';
import { openWebhookApp, type WebhookApp } from './webhook-app.ts';

describe.each(oneEngine)('events on %s', (engine) => {
  let app: WebhookApp;
  beforeAll(async () => {
    app = await openWebhookApp(engine);
  });
  afterAll(() => app.remove());

  async function countRecorded(): Promise<number> {
    const { rows } = await sql<{ rows: number }>`
      select count(*)::integer as rows from line_event`.execute(app.database.kysely);
    return rows[0]?.rows ?? 0;
  }

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
    const needed = brand.tiers[0]?.requiredReferrals ?? 0;
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
    const needed = brand.tiers[0]?.requiredReferrals ?? 0;
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
    const { rows } = await sql<{ text: string }>`
      select row_to_json(webhook_delivery)::text || ' ' as text from webhook_delivery
      union all select row_to_json(line_event)::text from line_event
    `.execute(app.database.kysely);
    expect(rows.filter(({ text }) => text.includes('@'))).toEqual([]);
  });
});

test('a credit that waits for a confirmation is an event once it is given', async () => {
  const app = await openWebhookApp('postgres', { referralCredit: 'confirm' });
  await app.add(['member.credited']);
  const ada = await app.join('ada@example.com');
  const friend = await app.join('friend@example.com', ada.referral_code);
  await sql`select confirm_member(${friend.id})`.execute(app.database.kysely);
  const [credited] = await app.receiver.waitFor(1);
  expect(credited?.data).toMatchObject({
    member_id: ada.id,
    friend_id: friend.id,
    referral_count: 1,
  });
  await sql`select confirm_member(${friend.id})`.execute(app.database.kysely);
  await sql`select set_credits(array[${friend.id}]::uuid[], 'held')`.execute(app.database.kysely);
  await sql`select set_credits(array[${friend.id}]::uuid[], 'given')`.execute(app.database.kysely);
  const again = await app.receiver.waitFor(2);
  expect(again).toHaveLength(2);
  expect(again[1]?.id).not.toBe(credited?.id);
  await app.remove();
});
