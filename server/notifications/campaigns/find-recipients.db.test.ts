/** Recipients are found slice by slice, by any number of servers, each once. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { inTransaction } from '../../db/transaction.ts';
import {
  beginStopping,
  queueCampaignMails,
  settleCampaignMails,
  startSending,
  stopHalted,
} from './campaign-store.ts';
import { createDraft, getCampaign } from './drafts.ts';
import { findRecipients } from './find-recipients.ts';

/** Several slices, and a part of one. */
const MEMBERS = 1_203;
const ACTOR = { kind: 'token', id: null, name: 'test' } as const;

describe.each(oneEngine)('recipients on %s', (engine) => {
  const line = provideLine(engine);
  beforeEach(async () => {
    await Promise.all(
      Array.from({ length: MEMBERS }, (_, index) => join(`${index % 3}-${index}@example.com`)),
    );
    await line.sql('update member set confirmed_at = joined_at');
  });
  const join = (email: string) =>
    line.queue.join({ email, referredBy: null, idempotencyKey: null });
  async function send(filter: object): Promise<number> {
    const { database } = line;
    const draft = { subject: 'News', body: 'Hello', filter };
    const { campaign } = await createDraft({ database, brand }, ACTOR, draft);
    await inTransaction(database, (transaction) => startSending(transaction, campaign));
    return campaign;
  }
  const find = () =>
    findRecipients({ database: line.database, brand, isStopping: () => false }, () => {});
  const readRecipients = async (campaign: number) =>
    (
      await line.sql(`
        select member.email from campaign_mail join member on member.id = member_id
        where campaign_id = ${campaign} order by 1`)
    ).map(({ email }) => email);

  test('are those who match and joined before, whoever finds them', async () => {
    const campaign = await send({ text: '1-' });
    await join('1-late@example.com');
    await Promise.all([find(), find(), find()]);
    const wanted = Array.from({ length: MEMBERS }, (_, index) => `${index % 3}-${index}`)
      .filter((name) => name.includes('1-'))
      .map((name) => `${name}@example.com`);
    expect(await readRecipients(campaign)).toEqual(wanted.sort());
    expect((await getCampaign(line.database, campaign)).counts.recipients).toBe(wanted.length);
  });

  test('are queued and counted once each, however often its outcome is reported', async () => {
    const campaign = await send({});
    await find();
    const queued = [];
    for (let taken = -1; taken !== 0; queued.push(taken))
      taken = await queueCampaignMails(line.database, 500);
    expect(queued).toEqual([500, 500, 203, 0]);
    const rows = await line.sql<{ memberId: string; priority: number }>(`
      select data->>'memberId' as "memberId", priority from pgboss.job
      where data->>'kind' = 'campaign'`);
    expect(new Set(rows.map(({ memberId }) => memberId)).size).toBe(MEMBERS);
    expect(new Set(rows.map(({ priority }) => priority))).toEqual(new Set([-1]));
    const mails = rows.map(({ memberId }) => ({ campaign, memberId }));
    await Promise.all([
      settleCampaignMails(line.database, mails.slice(0, 700), 'sent'),
      settleCampaignMails(line.database, mails.slice(300, 900), 'sent'),
      settleCampaignMails(line.database, mails.slice(800), 'refused'),
    ]);
    const { state, counts } = await getCampaign(line.database, campaign);
    expect(state).toBe('sent');
    expect(counts.sent + counts.failed).toBe(MEMBERS);
    await settleCampaignMails(line.database, mails, 'given_up');
    expect((await getCampaign(line.database, campaign)).counts).toEqual(counts);
  });

  test('get no more mail of a campaign whose cancelling failed, which ends by itself', async () => {
    const campaign = await send({ text: '1-' });
    const { database } = line;
    const state = async () => (await getCampaign(line.database, campaign)).state;
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
    expect(await getCampaign(line.database, campaign)).toMatchObject({
      state: 'cancelled',
      filter: { text: '…' },
    });
  });

  test('of nobody end the campaign at once', async () => {
    const campaign = await send({ text: 'nobody@example.org' });
    await find();
    expect(await getCampaign(line.database, campaign)).toMatchObject({
      state: 'sent',
      counts: { recipients: 0 },
      filter: { text: '…' },
    });
  });
});
