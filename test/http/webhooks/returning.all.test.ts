/** Webhooks and campaigns of members who are removed, restored, or imported. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { EVENT_KINDS } from '../../../contract/operator/webhooks/webhooks.ts';
import { oneEngine } from '../../support/engines.ts';
import { openImportCalls } from '../import-calls.ts';
import { openWebhookApp, type WebhookApp } from './webhook-app.ts';

describe.each(oneEngine)('members who come back or are imported on %s', (engine) => {
  let app: WebhookApp;
  beforeAll(async () => {
    app = await openWebhookApp(engine);
    await app.add(EVENT_KINDS);
  });
  afterAll(() => app.remove());

  const rows = async (query: string) => (await app.database.runSql(query)).rows;
  async function change(kind: string, input: object): Promise<number> {
    const made = await app.call('POST', 'changes', { kind, input, reason: 'a test' });
    expect(made.status).toBe(201);
    return (made.body as { change: number }).change;
  }
  const undo = (number: number) => app.call('POST', `changes/${number}/undo`, { reason: 'no' });
  /** Waits until every event was delivered. */
  async function settle(): Promise<void> {
    const left = `select sequence from line_event, webhook_endpoint where sequence >= next_sequence
      union all select sequence from webhook_delivery where state = 'waiting'`;
    await expect.poll(() => rows(left), { timeout: 60_000 }).toEqual([]);
  }

  test('an undone removal is reported as a return, once', async () => {
    const ada = await app.join('ada@example.com');
    const needed = brand.tiers[0]?.requiredReferrals ?? 0;
    const friends: string[] = [];
    for (let index = 0; index < needed; index += 1)
      friends.push((await app.join(`friend${index}@example.com`, ada.referral_code)).id);
    await settle();
    const seen = app.receiver.events.length;
    const gone = [ada.id, friends[0] ?? ''];
    const number = await change('remove-members', { member_ids: gone });
    expect((await undo(number)).status).toBe(201);
    const last = await app.join('last@example.com');
    await settle();
    const events = app.receiver.events.slice(seen);
    const reported = events.map(({ type, data }) => `${type} ${data.member_id}`);
    expect(reported.toSorted()).toEqual(
      [
        ...gone.map((id) => `member.left ${id}`),
        ...gone.map((id) => `member.returned ${id}`),
        `member.joined ${last.id}`,
      ].toSorted(),
    );
    const back = events.find(
      ({ type, data }) => type === 'member.returned' && data.member_id === ada.id,
    );
    expect(back?.data.member).toMatchObject({ email: 'ada@example.com', referral_count: needed });
  });

  test('members who came back are mailed at most once by a campaign', async () => {
    const [mailed, waiting] = [
      await app.join('mailed@example.com'),
      await app.join('waiting@example.com'),
    ];
    const outcomes = () =>
      rows(`select outcome from campaign_mail
        where member_id in ('${mailed.id}', '${waiting.id}') order by outcome`);
    // This campaign neither finds nor sends more, so the removal applies to these rows alone.
    await app.database.runSql(`
      insert into campaign (id, state, subject, body, filter, started_at, before_sequence,
        found_to, queued_to, is_all_found, recipients, sent)
      values (1, 'sending', 'News', 'Hello', '{}', now(), 1,
        'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff', true,
        3, 1);
      insert into campaign_mail values (1, '${mailed.id}', 'sent'), (1, '${waiting.id}', null),
        (1, gen_random_uuid(), null)`);
    const number = await change('remove-members', { member_ids: [mailed.id, waiting.id] });
    expect(await outcomes()).toEqual([]);
    expect((await undo(number)).status).toBe(201);
    expect(await outcomes()).toEqual([{ outcome: 'obsolete' }, { outcome: 'sent' }]);
    expect(await rows('select sent, departed, recipients from campaign')).toEqual([
      { sent: 1, departed: 1, recipients: 3 },
    ]);
  });

  test('an import reports joins before credits and tiers, each once', async () => {
    const host = await app.join('host@example.com');
    await settle();
    const seen = app.receiver.events.length;
    const needed = brand.tiers[0]?.requiredReferrals ?? 0;
    const calls = openImportCalls(app);
    const lines = ['email,referred_by'];
    // Friends above their referrer, below them, and of somebody in line; more than one row of
    // the log holds.
    for (let index = 0; index < needed; index += 1)
      lines.push(`up${index}@x.example,late@x.example`);
    lines.push('late@x.example,');
    for (let index = 0; index < 70; index += 1) lines.push(`down${index}@x.example,late@x.example`);
    for (let index = 0; index < needed + 1; index += 1)
      lines.push(`of-host${index}@x.example,host@example.com`);
    const { id } = await calls.check(lines.join('\n'));
    expect((await calls.apply(id)).statusCode).toBe(201);
    const friends = needed + 70;
    const reached = (count: number) =>
      brand.tiers.map((tier) => tier.requiredReferrals).filter((least) => least <= count);
    await settle();
    const events = app.receiver.events.slice(seen);
    const counts = (type: string, member: string) =>
      events
        .filter((event) => event.type === type && event.data.member_id === member)
        .map(({ data }) => data.referral_count as number)
        .toSorted((a, b) => a - b);
    const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    const [late] = (await rows("select id from member where email = 'late@x.example'")) as {
      id: string;
    }[];
    const lateId = late?.id ?? '';
    expect(counts('member.credited', lateId)).toEqual(upTo(friends));
    expect(counts('member.credited', host.id)).toEqual(upTo(needed + 1));
    expect(counts('tier.reached', lateId)).toEqual(reached(friends));
    expect(counts('tier.reached', host.id)).toEqual(reached(needed + 1));
    const joined = events.filter(({ type }) => type === 'member.joined');
    expect(joined).toHaveLength(lines.length - 1);
    const about = (member: string) =>
      events.filter(({ data }) => data.member_id === member).map(({ type }) => type);
    expect(about(lateId)[0]).toBe('member.joined');
    const [{ most }] = (await rows(
      'select max(cardinality(member_ids)) as most from line_event',
    )) as [{ most: number }];
    expect(most).toBeLessThanOrEqual(64);
  });
});
