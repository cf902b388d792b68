import { sql } from 'kysely';
import type { Transaction } from '../../db/transaction.ts';

export type WalkedMember = {
  readonly id: string;
  readonly sequence: number;
  readonly hasJoinedLongAgo: boolean;
  readonly mustConfirm: boolean;
};

const MUST_CONFIRM = sql`(
  member.referrer_id is not null and member.confirmed_at is null and member.credit <> 'refused')`;

export async function readNextMembers(
  transaction: Transaction,
  { joinedBefore, limit }: { joinedBefore: Date; limit: number },
): Promise<WalkedMember[]> {
  const { rows } = await sql<WalkedMember>`
    select id, sequence, joined_at <= ${joinedBefore} as "hasJoinedLongAgo",
      ${MUST_CONFIRM} as "mustConfirm"
    from member where sequence >= (select next_sequence from reminder_cursor)
    order by sequence limit ${limit}::integer
  `.execute(transaction);
  return rows;
}

export async function writeReminderCursor(transaction: Transaction, next: number): Promise<void> {
  await sql`update reminder_cursor set next_sequence = ${next}`.execute(transaction);
}

export async function readRemindedOnce(
  transaction: Transaction,
  { remindedBefore, limit }: { remindedBefore: Date; limit: number },
): Promise<{ id: string; mustConfirm: boolean }[]> {
  const { rows } = await sql<{ id: string; mustConfirm: boolean }>`
    select member.id, ${MUST_CONFIRM} as "mustConfirm"
    from (
      select member_id from notification_state
      where reminders = 1 and reminded_at <= ${remindedBefore}
      order by reminded_at limit ${limit}::integer
    ) reminded
    cross join lateral (select * from member where id = reminded.member_id offset 0) member
  `.execute(transaction);
  return rows;
}

export async function writeReminded(
  transaction: Transaction,
  memberIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into notification_state as known (member_id, reminders, reminded_at)
    select member_id, 1, ${now} from unnest(${[...memberIds]}::uuid[]) reminded (member_id)
    on conflict (member_id) do update
    set reminders = least(2, known.reminders + 1), reminded_at = excluded.reminded_at
  `.execute(transaction);
}
