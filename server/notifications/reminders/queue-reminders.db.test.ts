import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import type { Member } from '../../../contract/schemas.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { inTransaction } from '../../db/transaction.ts';
import { prepareSizes } from '../../drop/stock/stock.ts';
import { DAY_MS, HOUR_MS } from '../../durations.ts';
import { confirmMember, removeMember } from '../../line/change-member.ts';
import { decideCredits, planDecision } from '../../line/credits/credit-store.ts';
import { type JoinQueue, openJoinQueue } from '../../line/join/join.ts';
import type { MailRequest } from '../delivery/queue.ts';
import { queueReminders } from './queue-reminders.ts';

const OPTIONS = { brand, referralCredit: 'settle', mailRate: 10 } as const;

describe.each(oneEngine)('reminders to confirm on %s', (engine) => {
  let place: TestDatabase;
  let queue: JoinQueue;
  let joined = 0;
  const start = Date.now();
  const inDays = (days: number) => new Date(start + days * DAY_MS + HOUR_MS / 2);

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    await prepareSizes(place.database, brand);
    queue = openJoinQueue({ database: place.database, brand, referralCredit: 'settle' });
  });

  afterEach(async () => {
    await queue.close();
    await place.close();
  });

  async function join(referredBy: string | null = null): Promise<Member> {
    joined += 1;
    const email = `m${joined}@example.com`;
    const { body } = await queue.join({ email, referredBy, idempotencyKey: null });
    return JSON.parse(body);
  }

  async function joinFriends(count: number): Promise<string[]> {
    const { referral_code: code } = await join();
    const friends: string[] = [];
    for (let number = 0; number < count; number += 1) friends.push((await join(code)).id);
    return friends;
  }

  /** Ids of the members whom a run at that time reminds; empties the queue. */
  async function run(days: number, options: Partial<Parameters<typeof queueReminders>[1]> = {}) {
    await queueReminders(place.database, { ...OPTIONS, now: inDays(days), ...options });
    return await takeQueued();
  }

  async function takeQueued(): Promise<string[]> {
    const { rows } = await place.database.runSql(
      `delete from pgboss.job where name = 'mail' returning data`,
    );
    const mails = rows.map((row) => (row as { data: MailRequest }).data);
    expect(mails.every(({ kind }) => kind === 'confirm-reminder')).toBe(true);
    return mails.map(({ memberId }) => memberId).sort();
  }

  const planFreeze = (days: number) =>
    sql`insert into scheduled_step (drop_number, step, input, due_at, time_zone)
      values (1, 'freeze-drop', '{}', ${inDays(days)}, 'UTC')
      on conflict (drop_number, step) do update set due_at = excluded.due_at`.execute(
      place.database.kysely,
    );

  test('a friend is reminded once, two days after joining', async () => {
    const friends = await joinFriends(3);
    expect(await run(1)).toEqual([]);
    expect(await run(2)).toEqual(friends.toSorted());
    for (const days of [2, 3, 30]) expect(await run(days)).toEqual([]);
  });

  test('a friend is reminded no second time, however near the freeze', async () => {
    const [friend] = await joinFriends(1);
    await planFreeze(10);
    expect(await run(2)).toEqual([friend]);
    for (const days of [6.9, 7, 8, 9.5]) expect(await run(days)).toEqual([]);
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
    await confirmMember(place.database, { memberId: confirmed });
    await removeMember(place.database, { memberId: left });
    const plan = await planDecision(place.database.kysely, {
      friendIds: [refused],
      state: 'refused',
      needsConfirmation: false,
      alsoDecided: false,
    });
    await inTransaction(place.database, (transaction) => decideCredits(transaction, plan));
    expect(await run(2)).toEqual([other]);
  });

  test('nobody is reminded once the line is frozen, or should be', async () => {
    await joinFriends(1);
    await planFreeze(3);
    expect(await run(3.1)).toEqual([]);
    await sql`update scheduled_step set state = 'done', settled_at = now()`.execute(
      place.database.kysely,
    );
    await sql`update mask_drop set state = 'frozen', frozen_at = now(), salt = 'aa',
      list_hash = 'bb'`.execute(place.database.kysely);
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
    await sql`alter table reminder_cursor add constraint fails check (next_sequence = 1)`.execute(
      place.database.kysely,
    );
    await expect(run(2)).rejects.toThrow('fails');
    expect(await takeQueued()).toEqual([]);
    await sql`alter table reminder_cursor drop constraint fails`.execute(place.database.kysely);
    const now = inDays(2);
    await Promise.all([1, 2, 3, 4].map(() => queueReminders(place.database, { ...OPTIONS, now })));
    expect(await takeQueued()).toEqual(friends.toSorted());
    expect(await run(2)).toEqual([]);
  });
});
