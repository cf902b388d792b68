/** How the line is ordered, as line_state keeps it. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { inTransaction, lock, type Transaction } from '../db/transaction.ts';
import type { KeyFormula } from './line-rules.ts';

/** Makes the line follow the formula. A changed one gives every member a new key and position. */
export async function setFormula(
  database: Database,
  rule: string,
  formula: KeyFormula,
): Promise<void> {
  const row = {
    rule,
    per_join: formula.perJoin,
    per_credit: formula.perCredit,
    per_invite: formula.perInvite,
    bucket_shifts: [...formula.bucketShifts],
  };
  await inTransaction(database, async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction); // a million keys take a while
    await transaction
      .insertInto('line_state')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await lock(transaction, 'line');
    if (isSameFormula(await readFormula(transaction), formula)) return;
    await transaction.updateTable('line_state').set(row).execute();
    await sql`select rebuild_line()`.execute(transaction);
  });
}

/** The formula that the line follows. */
export async function readFormula(transaction: Transaction): Promise<KeyFormula> {
  const row = await transaction
    .selectFrom('line_state')
    .select(['per_join', 'per_credit', 'per_invite', 'bucket_shifts'])
    .executeTakeFirstOrThrow();
  return {
    perJoin: row.per_join,
    perCredit: row.per_credit,
    perInvite: row.per_invite,
    bucketShifts: row.bucket_shifts,
  };
}

export function isSameFormula(one: KeyFormula, other: KeyFormula): boolean {
  return (
    one.perJoin === other.perJoin &&
    one.perCredit === other.perCredit &&
    one.perInvite === other.perInvite &&
    one.bucketShifts.join() === other.bucketShifts.join()
  );
}
