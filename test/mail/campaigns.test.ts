/** Mails to a part of the line, through the queue and a real mail server. */
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { OPERATOR_TOKEN } from '../http/test-app.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { headerOf, type ReceivedMail } from '../support/smtp-mailbox.ts';
import { isAll } from '../support/test-form.ts';
import { type MailApp, type MailAppOptions, openMailApp } from './mail-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const TEXT = {
  subject: 'News for #{position}',
  body: 'You stand at **{position}**. {invite_link}',
};
const SUBJECT = /^News for #/;
const ANSWER_MS = 400;
const NONE = { sent: 0, kept: 0, suppressed: 0, waiting: 0, failed: 0, departed: 0, cancelled: 0 };

const readersOf = (mails: readonly ReceivedMail[]) => mails.flatMap(({ to }) => to).sort();

describe.each(oneEngine)('a campaign on %s', (engine) => {
  let app: MailApp;
  afterEach(() => app.remove());

  /** With as many members, whose own mails have arrived. */
  async function open(members: number, options?: MailAppOptions) {
    app = await openMailApp(engine, options);
    const joined = [];
    for (let index = 0; index < members; index += 1)
      joined.push({ email: `m${index}@example.com`, ...(await app.join(`m${index}@example.com`)) });
    await app.untilQueueIsEmpty();
    await confirmEverybody(app.database);
    return joined;
  }

  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
    const answer = await app.fastify.inject({
      method,
      url,
      headers: HEADERS,
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() };
  }

  const draft = async (more: object = {}): Promise<Campaign> =>
    (await call('POST', operatorPaths.campaigns, { ...TEXT, filter: {}, ...more })).body;
  const get = async ({ campaign }: Campaign): Promise<Campaign> =>
    (await call('GET', fillPath(operatorPaths.campaign, String(campaign)))).body;
  async function change(kind: string, { campaign, revision }: Campaign) {
    const input = kind === 'send-campaign' ? { campaign, revision } : { campaign };
    const reason = 'the drop is near';
    const made = await call('POST', operatorPaths.changes, { kind, input, reason });
    const isFinding = ({ name }: { name: string }) =>
      name === 'finding the recipients of a campaign';
    await app.scheduledWork.find(isFinding)?.run();
    return made;
  }
  async function untilEnded(one: Campaign): Promise<Campaign> {
    await expect.poll(async () => (await get(one)).state, { timeout: 60_000 }).not.toBe('sending');
    return await get(one);
  }
  const campaignMails = () =>
    app.box.mails.filter((mail) => SUBJECT.test(headerOf(mail, 'Subject')));

  test('reaches everyone who matches once, and counts exactly', async () => {
    const members = await open(12);
    const [first, second] = members;
    await app.fastify.inject({
      method: 'POST',
      url: (await unsubscribeLink(first?.email ?? '')) ?? '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    const one = await draft();
    expect(one).toMatchObject({ campaign: 1, state: 'draft', problems: [] });
    const { body: preview } = await call('POST', operatorPaths.previewChange, {
      kind: 'send-campaign',
      input: { campaign: 1, revision: 1 },
    });
    expect(preview.counts).toEqual({ members: 12 });
    expect((await change('send-campaign', one)).status).toBe(201);
    await app.join('late@example.com');
    const done = await untilEnded(one);
    expect(done).toMatchObject({
      state: 'sent',
      is_counted: true,
      counts: { ...NONE, recipients: 12, sent: 11, suppressed: 1 },
    });
    const mails = campaignMails();
    const others = members.slice(1).map(({ email }) => email);
    expect(readersOf(mails)).toEqual(others.sort());
    const mail = mails.find(({ to }) => to.includes(second?.email ?? ''));
    expect(mail && headerOf(mail, 'Subject')).toBe('News for #2');
    expect(mail && headerOf(mail, 'List-Unsubscribe')).toMatch(/^<https:/);
    expect(mail && headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const { entries } = (await call('GET', operatorPaths.changes)).body;
    expect(entries).toMatchObject([
      { action: 'send-campaign', subject: { kind: 'campaign', id: '1' }, undo_until: null },
      { action: 'write-campaign', subject: { kind: 'campaign', id: '1' }, undo_until: null },
    ]);
    expect((await change('send-campaign', one)).body.detail).toBe(
      'Campaign 1 was sent already: it is sent.',
    );
  });

  test('goes to confirmed members alone, unless it is written for the others', async () => {
    await open(2);
    await app.join('stranger@example.com');
    await app.join('stranger+tag@example.com');
    await app.untilQueueIsEmpty();
    const previewOf = async ({ campaign, revision }: Campaign) => {
      const change = { kind: 'send-campaign', input: { campaign, revision } };
      return (await call('POST', operatorPaths.previewChange, change)).body;
    };
    const one = await draft();
    expect(await previewOf(one)).toMatchObject({
      counts: { members: 2 },
      sentences: expect.arrayContaining(['Only members who have confirmed their address get it.']),
    });
    await change('send-campaign', one);
    expect((await untilEnded(one)).counts).toMatchObject({ recipients: 2, sent: 2 });
    expect(readersOf(campaignMails())).toEqual(['m0@example.com', 'm1@example.com']);

    // Their mailbox had one mail, and gets three in seven days at most.
    for (const sent of [2, 0]) {
      const other = await draft({ filter: { confirmed: false } });
      const { sentences } = await previewOf(other);
      expect(sentences.join(' ')).toContain('anybody may have typed them');
      await change('send-campaign', other);
      expect((await untilEnded(other)).counts).toMatchObject({ sent, suppressed: 2 - sent });
    }
    expect(campaignMails()).toHaveLength(4);
  });

  test('lets a new member go first, and is cancelled in the middle', async () => {
    let isSlow = false;
    await open(60, {
      settings: { mailRate: 20 },
      react: (moment) =>
        isSlow && moment === 'received' ? delay(ANSWER_MS, undefined) : undefined,
    });
    const one = await draft();
    // Mails are taken before the mail server says so.
    isSlow = true;
    await change('send-campaign', one);
    await expect.poll(() => campaignMails().length).toBeGreaterThan(2);
    const before = campaignMails().length;
    await app.join('new@example.com');
    const isWelcome = ({ to }: { to: readonly string[] }) => to.includes('new@example.com');
    await expect.poll(() => app.box.mails.some(isWelcome)).toBe(true);
    // A quarter of a second's worth is on its way, and as much is taken meanwhile.
    expect(campaignMails().length - before).toBeLessThanOrEqual(20);
    const cancelled = await change('cancel-campaign', one);
    expect(cancelled.status).toBe(201);
    const told = Number(/after (\d+) mails\.$/.exec(cancelled.body.summary)?.[1]);
    expect((await get(one)).counts.sent).toBe(told);
    await app.untilQueueIsEmpty();
    const { state, counts } = await get(one);
    expect(state).toBe('cancelled');
    expect(counts.sent).toBe(told);
    expect(counts.sent).toBe(campaignMails().length);
    expect(counts.sent).toBeLessThan(60);
    expect(counts).toMatchObject({ recipients: 60, cancelled: 60 - counts.sent, waiting: 0 });
    expect((await change('cancel-campaign', one)).status).toBe(409);
  });

  test.runIf(isAll)('counts the refused, and does not wait for those who leave', async () => {
    const members = await open(8, {
      react: (moment, address) =>
        moment === 'recipient' && address.startsWith('m3@') && isRefusing ? 550 : undefined,
      settings: { mailRate: 4 },
    });
    isRefusing = true;
    const one = await draft();
    await change('send-campaign', one);
    await expect.poll(async () => (await get(one)).is_counted).toBe(true);
    await removeMember(app.database, { memberId: members[7]?.id ?? '' });
    const { state, counts } = await untilEnded(one);
    isRefusing = false;
    expect(state).toBe('sent');
    expect(counts).toEqual({ ...NONE, recipients: 8, sent: 6, failed: 1, departed: 1 });
    const left = await sql<{ rows: number }>`
      select count(*)::integer as rows from campaign_mail
      where member_id = ${members[7]?.id}`.execute(app.database.kysely);
    expect(left.rows[0]?.rows).toBe(0);
  });

  test('is refused in sentences, and tried on one address', async () => {
    await open(1);
    const bad = await draft({ body: 'At {positon}' });
    expect(bad.problems).toEqual(['Line 1: {positon} is unknown: did you mean {position}?']);
    expect((await change('send-campaign', bad)).body.detail).toBe(bad.problems[0]);
    const path = fillPath(operatorPaths.campaign, String(bad.campaign));
    const preview = fillPath(operatorPaths.campaignPreview, String(bad.campaign));
    expect((await call('GET', preview)).status).toBe(422);
    const { body: good } = await call('PUT', path, { ...TEXT, filter: {}, revision: 1 });
    expect(good).toMatchObject({ problems: [], revision: 2 });
    expect((await call('PUT', path, { ...TEXT, filter: {}, revision: 1 })).body.detail).toBe(
      'Campaign 1 was edited meanwhile: look at it again.',
    );
    expect((await change('send-campaign', bad)).status).toBe(409);
    expect((await call('PUT', path, { ...TEXT, filter: { tier: 99 }, revision: 2 })).status).toBe(
      422,
    );
    expect((await call('GET', preview)).body.text).toContain('You stand at 128.');
    const html = await app.fastify.inject({ url: `${preview}.html`, headers: HEADERS });
    expect(html.headers['content-security-policy']).toContain('sandbox');
    expect(html.payload).toContain('<strong>128</strong>');
    const test = await call('POST', fillPath(operatorPaths.testCampaign, '1'), {
      email: 'me@example.com',
    });
    expect(test.body.outcome).toBe('sent');
    expect(campaignMails().map(({ to }) => to)).toEqual([['me@example.com']]);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  });

  test('is parsed when it is saved, and not at every look', async () => {
    await open(0);
    const marked = await draft({ body: '*a_'.repeat(6_666) });
    expect(marked.problems).toEqual([expect.stringContaining('more than 1000 marks')]);
    await sql`update campaign set parsed = '{"problems":["stored"],"blocks":[]}'`.execute(
      app.database.kysely,
    );
    expect((await get(marked)).problems).toEqual(['stored']);
    expect((await call('GET', operatorPaths.campaigns)).body.campaigns).toMatchObject([
      { problems: ['stored'] },
    ]);
    await sql`update campaign set parsed = null`.execute(app.database.kysely);
    expect((await get(marked)).problems).toEqual(marked.problems);
    const { rows } = await sql`select parsed from campaign`.execute(app.database.kysely);
    expect(rows).toEqual([{ parsed: { problems: marked.problems, blocks: [] } }]);
  });

  const audited = async () =>
    (await call('GET', operatorPaths.changes)).body.entries as {
      action: string;
      summary: string;
    }[];

  test.runIf(isAll)(
    'is tried on 20 addresses an hour that are not operators, each told of',
    async () => {
      await open(0);
      const operator = { email: 'ada@example.com', name: 'Ada', role: 'owner' };
      expect((await call('POST', operatorPaths.operators, operator)).status).toBe(201);
      await draft();
      const url = fillPath(operatorPaths.testCampaign, '1');
      const tryOn = (email: string, path: string = url) =>
        app.fastify.inject({ method: 'POST', url: path, headers: HEADERS, payload: { email } });
      const strangers = Array.from({ length: 25 }, (_, index) => `stranger${index}@example.com`);
      const answers = await Promise.all(strangers.map((email) => tryOn(email)));
      const refused = answers.filter(({ statusCode }) => statusCode === 429);
      expect(refused).toHaveLength(5);
      expect(campaignMails()).toHaveLength(20);
      expect(refused[0]?.json().detail).toBe(
        "Only 20 test mails an hour go to addresses that are not operators'.",
      );
      expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3_000);
      expect((await tryOn('me@example.com', operatorPaths.testMail)).statusCode).toBe(429);
      expect((await tryOn('Ada@example.com')).json().outcome).toBe('sent');

      const tests = (await audited()).filter(({ action }) => action === 'send-test-mail');
      expect(tests).toHaveLength(21);
      expect(tests[0]?.summary).toBe("Campaign 1 was sent to an operator's address, to try it.");
      expect(tests[1]?.summary).toBe('Campaign 1 was sent to another address, to try it.');

      await sql`alter table audit_entry disable trigger user`.execute(app.database.kysely);
      await sql`update audit_entry set at = at - interval '1 hour'`.execute(app.database.kysely);
      expect((await tryOn('later@example.com')).statusCode).toBe(200);
    },
  );

  test('is in the audit log as a draft, once for all edits of one operator', async () => {
    await open(0);
    const path = fillPath(operatorPaths.campaign, '1');
    await draft();
    for (const revision of [1, 2, 3]) await call('PUT', path, { ...TEXT, filter: {}, revision });
    const key = await call('POST', operatorPaths.keys, { name: 'News', scopes: ['write'] });
    const edited = await app.fastify.inject({
      method: 'PUT',
      url: path,
      headers: { authorization: `Bearer ${key.body.key}` },
      payload: { ...TEXT, filter: {}, revision: 4 },
    });
    expect(edited.statusCode).toBe(200);
    await call('DELETE', path);
    // A page that still shows the deleted draft must not send the next one.
    expect((await draft()).campaign).toBe(2);
    await call('DELETE', fillPath(operatorPaths.campaign, '2'));
    expect((await draft()).campaign).toBe(3);
    const drafts = (await audited()).filter(({ action }) => action.endsWith('-campaign'));
    expect(drafts.map(({ summary }) => summary).slice(-3)).toEqual([
      'The draft of campaign 1 was deleted.',
      'The draft of campaign 1 was edited.',
      'The draft of campaign 1 was written.',
    ]);
  });

  async function unsubscribeLink(email: string): Promise<string | undefined> {
    const mail = app.box.mails.find(({ to }) => to.includes(email));
    const link = mail && /<([^>]+)>/.exec(headerOf(mail, 'List-Unsubscribe'))?.[1];
    return link && new URL(link).pathname;
  }
});

let isRefusing = false;
