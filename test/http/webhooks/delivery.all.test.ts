/** Receivers that work, fail, hang or are gone, the log of their deliveries, and who comes back. */
import { beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { EVENT_KINDS } from '../../../contract/operator/webhooks/webhooks.ts';
import { removeMember } from '../../../server/line/change-member.ts';
import { oneEngine } from '../../support/engines.ts';
import { type Answer, startReceiver } from '../../support/webhook-receiver.ts';
import { openImportCalls } from '../import-calls.ts';
import { answerWith, beginAnew, provideWebhookApp } from './webhook-app.ts';

describe.each(oneEngine)('deliveries on %s', (engine) => {
  const app = provideWebhookApp(engine);
  const { sql } = app;
  beginAnew(app);

  /** Moves the first attempt and the first failure into the past. */
  async function makeOlder(hours: number): Promise<void> {
    const by = `make_interval(hours => ${hours})`;
    await sql(`update webhook_delivery set first_attempt_at = first_attempt_at - ${by}`);
    await sql(`update webhook_endpoint set failing_since = failing_since - ${by}`);
  }
  const joinMany = async (count: number, name: string) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push((await app.join(`${name}${index}@example.com`)).id);
    return ids;
  };
  const areDelivered = (count: number) => (entries: readonly { state: string }[]) =>
    entries.filter(({ state }) => state === 'delivered').length === count;

  test('a refused event is sent again under its id, until it is taken', async () => {
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = answerWith(500);
    await app.join('ada@example.com');
    const [failed] = await app.untilLogged(id, ([entry]) => entry?.attempts === 1);
    expect(failed).toMatchObject({ state: 'waiting', status: 500, cause: 'status 500' });
    const inMs = Date.parse(failed?.next_attempt_at ?? '') - Date.now();
    expect(inMs).toBeGreaterThan(0);
    expect(inMs).toBeLessThan(7_000);
    const read = () => app.readEndpoint(id);
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
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = (response, { data }) => {
      const { email } = data.member as { email: string };
      response.writeHead(email.startsWith('poison') ? 500 : 200).end();
    };
    await app.join('poison@example.com');
    await app.untilLogged(id, ([entry]) => entry?.attempts === 1);
    await joinMany(6, 'fine');
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
    const gone = await startReceiver();
    await gone.close();
    const { id } = await app.add(['member.joined', 'member.left'], gone.url);
    await app.join('down@example.com');
    await app.untilLogged(id, ([entry]) => entry?.cause === 'connection refused');
    await makeOlder(73);
    await app.hurry();
    const read = () => app.readEndpoint(id);
    await expect.poll(async () => (await read()).is_on).toBe(false);
    expect((await read()).off_reason).toMatch(
      /^Switched off: 2 attempts in a row failed since .*, the last with "connection refused"\.$/,
    );
    const countEvents = async () => (await sql('select from line_event')).length;
    const before = await countEvents();
    await app.join('down-still@example.com');
    expect(await countEvents()).toBe(before);
    const log = JSON.stringify(await app.read('/operator/api/changes'));
    expect(log).toContain('The server switched off the webhook');
  });

  test('only events about the same member wait for each other', async () => {
    await app.add(['member.joined', 'member.left']);
    app.receiver.answer = answerWith(503);
    const { id } = await app.join('waiting@example.com');
    await app.receiver.waitFor(1);
    await removeMember(app.database, { memberId: id });
    app.receiver.answer = answerWith(200);
    await app.join('passing@example.com');
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
    const hanging = await startReceiver();
    hanging.answer = () => {};
    await app.add(['member.joined'], hanging.url);
    await app.add(['member.joined']);
    const joined = await joinMany(12, 'beside');
    const events = await app.receiver.waitFor(12);
    expect(new Set(events.map(({ data }) => data.member_id))).toEqual(new Set(joined));
    await hanging.waitFor(4);
    // Whatever finds this later event would begin a fifth attempt on the first endpoint, too.
    await app.join('late@example.com');
    await app.receiver.waitFor(13);
    expect(hanging.events).toHaveLength(4);
    expect(hanging.mostAtOnce()).toBe(4);
    await hanging.close();
  });

  test.each([
    ['a redirect', answerWith(302, { location: '/elsewhere' }), 'redirects are not followed'],
    [
      'a connection that closes',
      ((response) => void response.destroy()) as Answer,
      'connection lost',
    ],
  ])('%s is a failure that is tried again', async (name, answer, cause) => {
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = answer;
    await app.join(`${name.replaceAll(' ', '.')}@example.com`);
    const [entry] = await app.untilLogged(id, ([first]) => first?.attempts === 1);
    expect(entry).toMatchObject({ state: 'waiting', cause });
    expect(app.receiver.events).toHaveLength(1);
  });

  test('after 410 the endpoint is switched off at once', async () => {
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = answerWith(410);
    await app.join('gone@example.com');
    await app.untilLogged(id, ([entry]) => entry?.state === 'given_up');
    const { off_reason } = await app.readEndpoint(id);
    expect(off_reason).toContain('the receiver wants no more events');
  });

  test('after five failures one event at a time is tried, and all once it is back', async () => {
    const { id } = await app.add(['member.joined']);
    app.receiver.answer = answerWith(503);
    await joinMany(20, 'tried');
    const read = () => app.readEndpoint(id);
    await expect.poll(async () => (await read()).failures).toBeGreaterThanOrEqual(5);
    await expect.poll(async () => (await read()).next_attempt_at).not.toBe(null);
    expect(app.receiver.events.length).toBeLessThan(12);
    app.receiver.answer = answerWith(200);
    await sql('update webhook_endpoint set retry_at = null');
    await app.untilLogged(id, areDelivered(20));
    expect(await read()).toMatchObject({ failures: 0, failing_since: null, waiting: 0 });
  });

  test('a rotated secret signs beside the one before, and a second one ends that', async () => {
    const first = await app.add(['member.joined']);
    const second = await app.tell(first.id, 'rotate');
    const left = Date.parse(second.old_secret_until) - Date.now();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
    const sendTest = async (secret: string) => {
      app.receiver.secrets = [secret];
      const { status: _, ...delivery } = await app.tell(first.id, 'test');
      return [delivery.kind, delivery.state];
    };
    for (const { secret } of [first, second])
      expect(await sendTest(secret)).toEqual(['webhook.test', 'delivered']);
    await app.tell(first.id, 'rotate');
    expect(await sendTest(first.secret)).toEqual(['webhook.test', 'given_up']);
    const text = JSON.stringify(await app.read('/operator/api/changes'));
    for (const secret of ['whsec_', 'very-secret', first.secret.slice(6)])
      expect(text).not.toContain(secret);
  });

  test('a delivery is replayed under its id, whatever became of it', async () => {
    const { id } = await app.add(['member.joined']);
    await app.join('replayed@example.com');
    const [first] = await app.untilLogged(id, ([entry]) => entry?.state === 'delivered');
    const replay = (delivery = '') =>
      app.post(`/operator/api/webhook-deliveries/${delivery}/replay`);
    expect(await replay(first?.id)).toMatchObject({
      event_id: first?.event_id,
      state: 'delivered',
    });
    expect(app.receiver.events.map((event) => event.id)).toEqual([
      first?.event_id,
      first?.event_id,
    ]);
    expect(await app.log(id)).toHaveLength(2);

    app.receiver.answer = answerWith(500);
    await app.join('replayed-later@example.com');
    const [waiting] = await app.untilLogged(id, ([entry]) => entry?.status === 500);
    app.receiver.answer = answerWith(200);
    expect(await replay(waiting?.id)).toMatchObject({ id: waiting?.id, state: 'delivered' });
    expect(await app.log(id)).toHaveLength(3);
    expect(await replay(id)).toMatchObject({ status: 404 });
  });
});

describe.each(oneEngine)('several servers on %s', (engine) => {
  const app = provideWebhookApp(engine);

  test('deliver each event once, and begin in the order of joining', async () => {
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

describe.each(oneEngine)('members who come back or are imported on %s', (engine) => {
  const app = provideWebhookApp(engine);
  const { undo } = app;
  beforeAll(async () => void (await app.add(EVENT_KINDS)));

  const rows = (query: string) => app.sql(query);
  async function change(kind: string, input: object): Promise<number> {
    const made = await app.change(kind, input);
    expect(made).toMatchObject({ status: 201 });
    return made.change;
  }
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
    await app.sql(`
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
    const [late] = await rows("select id from member where email = 'late@x.example'");
    const lateId = String(late?.id);
    expect(counts('member.credited', lateId)).toEqual(upTo(friends));
    expect(counts('member.credited', host.id)).toEqual(upTo(needed + 1));
    expect(counts('tier.reached', lateId)).toEqual(reached(friends));
    expect(counts('tier.reached', host.id)).toEqual(reached(needed + 1));
    const joined = events.filter(({ type }) => type === 'member.joined');
    expect(joined).toHaveLength(lines.length - 1);
    const about = (member: string) =>
      events.filter(({ data }) => data.member_id === member).map(({ type }) => type);
    expect(about(lateId)[0]).toBe('member.joined');
    const [row] = await rows('select max(cardinality(member_ids)) as most from line_event');
    expect(row?.most).toBeLessThanOrEqual(64);
  });
});
