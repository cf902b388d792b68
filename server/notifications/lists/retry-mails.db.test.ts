/** What never arrived is queued as if it were new, if it is still for somebody. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { inTransaction } from '../../db/transaction.ts';
import { openRetryMails } from './retry-mails.ts';

describe.each(oneEngine)('mails that never arrived, on %s', (engine) => {
  const line = provideLine(engine, {}, 'all');
  let member = '';
  beforeAll(async () => {
    member = (await line.join()).id;
  });
  beforeEach(() => line.sql('delete from pgboss.job'));

  /** Queues mails that were refused two days ago, after some attempts. */
  async function refuse(...mails: object[]): Promise<void> {
    const texts = mails.map((mail) => JSON.stringify(mail));
    await line.sql('select queue_mails($1::text[]::jsonb[])', [texts]);
    await line.sql(`
      update pgboss.job set state = 'completed', retry_count = 5,
        output = '{"outcome": "refused"}', created_on = now() - interval '3 days',
        started_on = now() - interval '2 days', completed_on = now() - interval '2 days'`);
  }

  async function retry(): Promise<{ mails: number | undefined; wakes: number }> {
    let wakes = 0;
    const { apply } = openRetryMails({
      wake() {
        wakes += 1;
      },
    });
    const { counts, afterCommit } = await inTransaction(line.database, (transaction) =>
      apply(transaction, {}, undefined as never),
    );
    await afterCommit?.();
    return { mails: counts?.mails, wakes };
  }

  const readWaiting = () =>
    line.sql(`
      select data->>'kind' as kind, retry_count, output, completed_on,
        created_on > now() - interval '1 hour' as is_new, start_after <= now() as is_due
      from pgboss.job where state = 'created'`);

  test('begin anew, are due at once, and wake the queue', async () => {
    await refuse({ kind: 'friends', memberId: member, newFriends: 1 });
    expect(await retry()).toEqual({ mails: 1, wakes: 1 });
    const anew = { retry_count: 0, output: null, completed_on: null };
    expect(await readWaiting()).toEqual([{ kind: 'friends', ...anew, is_new: true, is_due: true }]);
    await expect(retry()).rejects.toThrow('Every mail of the last 30 days arrived');
  });

  test('are left out if their member has left or their campaign was cancelled', async () => {
    const other = randomUUID();
    await line.sql(`
      insert into campaign (id, state, subject, body, filter, started_at, ended_at, is_all_found,
        recipients, sent, failed)
      select id, state, 's', 'b', '{}', now(), now(), true, 2, 1, 1
      from (values (1, 'cancelled'), (2, 'sent')) one (id, state)`);
    await line.sql(`
      insert into campaign_mail values (1, '${member}', 'refused'), (2, '${member}', 'refused'),
        (2, '${other}', 'sent')`);
    await refuse(
      { kind: 'friends', memberId: other, newFriends: 1 },
      { kind: 'campaign', memberId: member, campaign: 1 },
      { kind: 'campaign', memberId: member, campaign: 2 },
    );
    expect(await retry()).toMatchObject({ mails: 1 });
    // A mail that is counted as failed is counted once more when it has ended.
    const campaigns = await line.sql(`
      select id, state, sent, failed, ended_at is null as goes_on, outcome
      from campaign join campaign_mail on campaign_id = id
      where member_id = '${member}' order by id`);
    expect(campaigns).toEqual([
      { id: 1, state: 'cancelled', sent: 1, failed: 1, goes_on: false, outcome: 'refused' },
      { id: 2, state: 'sending', sent: 1, failed: 0, goes_on: true, outcome: null },
    ]);
  });
});
