/** Recipients are found slice by slice, by any number of servers, each once. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';

import { brand } from '../../../brand/brand.ts';
import type { Member } from '../../../contract/schemas.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { inTransaction } from '../../db/transaction.ts';
import { prepareSizes } from '../../drop/stock/stock.ts';
import { type JoinQueue, openJoinQueue } from '../../line/join/join.ts';
import {
  beginStopping,
  queueCampaignMails,
  settleCampaignMails,
  startSending,
  stopHalted,
} from './campaign-store.ts';
import { createDraft, getCampaign } from './drafts.ts';
import { openRecipientFinder } from './find-recipients.ts';
import { openTextReader } from './text-reader.ts';

/** Several slices, and a part of one. */
const MEMBERS = 1_203;
const ACTOR = { kind: 'token', id: null, name: 'test' } as const;

describe.each(oneEngine)('recipients on %s', (engine) => {
  let place: TestDatabase;
  let line: JoinQueue;
  let finders: ReturnType<typeof openRecipientFinder>[] = [];
  afterEach(async () => {
    await Promise.all(finders.map((finder) => finder.close()));
    finders = [];
    await line.close();
    await place.close();
  });

  async function open(): Promise<void> {
    place = await openTestDatabase(engine);
    await prepareSizes(place.database, brand);
    line = openJoinQueue({ database: place.database, brand });
    await Promise.all(
      Array.from({ length: MEMBERS }, (_, index) => join(`${index % 3}-${index}@example.com`)),
    );
    await place.database.runSql('update member set confirmed_at = joined_at');
  }
  async function join(email: string): Promise<Member> {
    const { body } = await line.join({ email, referredBy: null, idempotencyKey: null });
    return JSON.parse(body) as Member;
  }
  async function send(filter: object): Promise<number> {
    const { database } = place;
    const draft = { subject: 'News', body: 'Hello', filter };
    const { campaign } = await createDraft(
      { database, brand, readText: openTextReader() },
      ACTOR,
      draft,
    );
    await inTransaction(database, (transaction) => startSending(transaction, campaign));
    return campaign;
  }
  function openFinder(): void {
    const onError = (error: unknown) => {
      throw error;
    };
    finders.push(
      openRecipientFinder({ database: place.database, brand, onFound: () => {}, onError }),
    );
  }
  const untilFound = (campaign: number) =>
    expect.poll(async () => (await getCampaign(place.database, campaign)).is_counted).toBe(true);
  async function readRecipients(campaign: number): Promise<string[]> {
    const { rows } = await sql<{ email: string }>`
      select member.email from campaign_mail join member on member.id = member_id
      where campaign_id = ${campaign} order by 1`.execute(place.database.kysely);
    return rows.map(({ email }) => email);
  }

  test('are those who match and joined before, whoever finds them', async () => {
    await open();
    const campaign = await send({ text: '1-' });
    await join('1-late@example.com');
    for (let server = 0; server < 3; server += 1) openFinder();
    await untilFound(campaign);
    const wanted = Array.from({ length: MEMBERS }, (_, index) => `${index % 3}-${index}`)
      .filter((name) => name.includes('1-'))
      .map((name) => `${name}@example.com`);
    expect(await readRecipients(campaign)).toEqual(wanted.sort());
    expect((await getCampaign(place.database, campaign)).counts.recipients).toBe(wanted.length);
  });

  test('are queued and counted once each, however often its outcome is reported', async () => {
    await open();
    const campaign = await send({});
    openFinder();
    await untilFound(campaign);
    const queued = [];
    for (let taken = -1; taken !== 0; queued.push(taken))
      taken = await queueCampaignMails(place.database, 500);
    expect(queued).toEqual([500, 500, 203, 0]);
    const { rows } = await sql<{ memberId: string; priority: number }>`
      select data->>'memberId' as "memberId", priority from pgboss.job
      where data->>'kind' = 'campaign'`.execute(place.database.kysely);
    expect(new Set(rows.map(({ memberId }) => memberId)).size).toBe(MEMBERS);
    expect(new Set(rows.map(({ priority }) => priority))).toEqual(new Set([-1]));
    const mails = rows.map(({ memberId }) => ({ campaign, memberId }));
    await Promise.all([
      settleCampaignMails(place.database, mails.slice(0, 700), 'sent'),
      settleCampaignMails(place.database, mails.slice(300, 900), 'sent'),
      settleCampaignMails(place.database, mails.slice(800), 'refused'),
    ]);
    const { state, counts } = await getCampaign(place.database, campaign);
    expect(state).toBe('sent');
    expect(counts.sent + counts.failed).toBe(MEMBERS);
    await settleCampaignMails(place.database, mails, 'given_up');
    expect((await getCampaign(place.database, campaign)).counts).toEqual(counts);
  });

  test('get no more mail of a campaign whose cancelling failed, which ends by itself', async () => {
    await open();
    const campaign = await send({ text: '1-' });
    const { database } = place;
    const state = async () => (await getCampaign(place.database, campaign)).state;
    await beginStopping(database, campaign);
    await stopHalted(database);
    expect(await state()).toBe('sending');
    await database.runSql(`update campaign set stopping_at = now() - interval '2 minutes'`);
    const mail = { kind: 'campaign', memberId: randomUUID(), campaign };
    await database.runSql('select queue_mails(array[$1::jsonb])', [JSON.stringify(mail)]);
    await database.runSql(`update pgboss.job set state = 'active'`);
    await stopHalted(database);
    expect(await state()).toBe('sending');
    await database.runSql(`update pgboss.job set state = 'completed'`);
    await stopHalted(database);
    expect(await getCampaign(place.database, campaign)).toMatchObject({
      state: 'cancelled',
      filter: { text: '…' },
    });
  });

  test('of nobody end the campaign at once', async () => {
    await open();
    const campaign = await send({ text: 'nobody@example.org' });
    openFinder();
    await untilFound(campaign);
    expect(await getCampaign(place.database, campaign)).toMatchObject({
      state: 'sent',
      counts: { recipients: 0 },
      filter: { text: '…' },
    });
  });
});
