/** Codes on hold: all further credits of theirs are held. */
import type { Transaction } from '../../db/transaction.ts';

/** Of the member with that code; null without one. */
export async function readOwnerId(transaction: Transaction, code: string): Promise<string | null> {
  const row = await transaction
    .selectFrom('member')
    .select('id')
    .where('referral_code', '=', code)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** False when it was on hold already. */
export async function insertHold(transaction: Transaction, memberId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('code_hold')
    .values({ member_id: memberId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** False when it was not on hold. */
export async function deleteHold(transaction: Transaction, memberId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('code_hold')
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
