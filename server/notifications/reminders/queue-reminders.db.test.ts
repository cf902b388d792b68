import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DAY_MS, HOUR_MS } from '../../durations.ts';
import { confirmMember, removeMember } from '../../line/change-member.ts';
import { decideCredits, planDecision } from '../../line/credits/credit-store.ts';
import type { MailRequest } from '../../line/mails/mail-kinds.ts';
import { queueReminders } from './queue-reminders.ts';

const OPTIONS = { brand, referralCredit: 'settle', mailRate: 10 } as const;

describe.each(oneEngine)('reminders to confirm on %s', (engine) => {
  const line = provideLine(engine, { referralCredit: 'settle' });
  const start = Date.now();
  const inDays = (days: number) => new Date(start + days * DAY_MS + HOUR_MS / 2);

  const joinFriends = async (count: number): Promise<string[]> => {
    const { referral_code: code } = await line.join();
    const friends: string[] = [];
    for (let number = 0; number < count; number += 1) friends.push((await line.join(code)).id);
    return friends;
  };

  /** Ids of the members whom a run at that time reminds; empties the queue. */
  async function run(days: number, options: Partial<Parameters<typeof queueReminders>[1]> = {}) {
    await queueReminders(line.database, { ...OPTIONS, now: inDays(days), ...options });
    return await takeQueued();
  }

  async function takeQueued(): Promise<string[]> {
    const rows = await line.sql<{ data: MailRequest }>(
      `delete from pgboss.job where name = 'mail' returning data`,
    );
    expect(rows.every(({ data: { kind } }) => kind === 'confirm-reminder')).toBe(true);
    return rows.map(({ data }) => data.memberId).sort();
  }

  const planFreeze = (days: number) =>
    sql`insert into scheduled_step (drop_number, step, input, due_at, time_zone)
      values (1, 'freeze-drop', '{}', ${inDays(days)}, 'UTC')
      on conflict (drop_number, step) do update set due_at = excluded.due_at`.execute(
      line.database.kysely,
    );

  test('a friend is reminded once, two days after joining, however near the freeze', async () => {
    const friends = await joinFriends(3);
    expect(await run(1)).toEqual([]);
    await planFreeze(10);
    expect(await run(2)).toEqual(friends.toSorted());
    for (const days of [2, 3, 6.9, 7, 8, 9.5]) expect(await run(days)).toEqual([]);
  });

  test('a friend who joins in the last days before a freeze is reminded after one', async () => {
    const [friend] = await joinFriends(1);
    await planFreeze(3);
    expect(await run(0.5)).toEqual([]);
    expect(await run(1.1)).toEqual([friend]);
    for (const days of [2, 2.2, 2.9]) expect(await run(days)).toEqual([]);
  });

  test('nobody is reminded who confirmed, left, was refused, or came alone', async () => {
    const [confirmed = '', left = '', refused = '', other] = await joinFriends(4);
    await confirmMember(line.database, { memberId: confirmed });
    await removeMember(line.database, { memberId: left });
    const plan = await planDecision(line.database.kysely, {
      friendIds: [refused],
      state: 'refused',
      needsConfirmation: false,
      alsoDecided: false,
    });
    await inTransaction(line.database, (transaction) => decideCredits(transaction, plan));
    expect(await run(2)).toEqual([other]);
  });

  test('nobody is reminded once the line is frozen, or should be', async () => {
    await joinFriends(1);
    await planFreeze(3);
    expect(await run(3.1)).toEqual([]);
    await line.sql(`
      update scheduled_step set state = 'done', settled_at = now();
      update mask_drop set state = 'frozen', frozen_at = now(), salt = 'aa', list_hash = 'bb'`);
    expect(await run(4)).toEqual([]);
  });

  test('nobody is reminded where friends must confirm to count at all', async () => {
    await joinFriends(1);
    expect(await run(2, { referralCredit: 'confirm' })).toEqual([]);
    expect(await run(2)).toHaveLength(1);
  });

  test('a mail that the brand has switched off counts as sent', async () => {
    await joinFriends(1);
    const reminder = { ...brand.mails['confirm-reminder'], isOn: false };
    const mails = { ...brand.mails, 'confirm-reminder': reminder };
    expect(await run(2, { brand: { mails } })).toEqual([]);
    expect(await run(3)).toEqual([]);
  });

  test('a run queues half of what may leave until the next, and that one goes on', async () => {
    const friends = await joinFriends(5);
    const slow = { mailRate: 0.07 };
    const runs = [await run(2, slow), await run(2, slow), await run(2, slow), await run(2, slow)];
    expect(runs.map(({ length }) => length)).toEqual([2, 2, 1, 0]);
    expect(runs.flat().sort()).toEqual(friends.toSorted());
  });

  test('runs at once, and one that fails, remind each friend exactly once', async () => {
    const friends = await joinFriends(4);
    await line.sql('alter table reminder_cursor add constraint fails check (next_sequence = 1)');
    await expect(run(2)).rejects.toThrow('fails');
    expect(await takeQueued()).toEqual([]);
    await line.sql('alter table reminder_cursor drop constraint fails');
    const now = inDays(2);
    await Promise.all([1, 2, 3, 4].map(() => queueReminders(line.database, { ...OPTIONS, now })));
    expect(await takeQueued()).toEqual(friends.toSorted());
    expect(await run(2)).toEqual([]);
  });
});
