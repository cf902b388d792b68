import { all, run } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';

export type WalkedMember = {
  readonly id: string;
  readonly sequence: number;
  readonly mustConfirm: boolean;
};

/** The members after the cursor who joined by then. Sequences are in the order of joining. */
export function readNextMembers(
  transaction: Transaction,
  { joinedBefore, limit }: { joinedBefore: Date; limit: number },
) {
  return all<WalkedMember>(transaction)`
    select id, sequence, referrer_id is not null and confirmed_at is null and credit <> 'refused'
      as "mustConfirm"
    from (
      select * from member where sequence >= (select next_sequence from reminder_cursor)
      order by sequence limit ${limit}::integer
    ) next
    where joined_at <= ${joinedBefore}
    order by sequence
  `;
}

export function writeReminderCursor(transaction: Transaction, next: number) {
  return run(transaction)`update reminder_cursor set next_sequence = ${next}`;
}
