import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { inTransaction, lock, type Transaction } from '../db/transaction.ts';
import type { KeyFormula } from './line-rules.ts';

export async function setFormula(database: Database, formula: KeyFormula): Promise<void> {
  const row = rowOf(formula);
  await inTransaction(database, async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction); // a million keys take a while
    await transaction
      .insertInto('line_state')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await lock(transaction, 'line');
    if (await followsFormula(transaction, formula)) return;
    await transaction.updateTable('line_state').set(row).execute();
    await sql`select rebuild_line()`.execute(transaction);
  });
}

export async function followsFormula(
  transaction: Transaction,
  formula: KeyFormula,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('line_state')
    .select(['rule', 'per_join', 'per_credit', 'per_invite', 'bucket_shifts'])
    .executeTakeFirstOrThrow();
  return isDeepStrictEqual({ ...row }, rowOf(formula));
}

function rowOf({ rule, perJoin, perCredit, perInvite, bucketShifts }: KeyFormula) {
  return {
    rule,
    per_join: perJoin,
    per_credit: perCredit,
    per_invite: perInvite,
    bucket_shifts: [...bucketShifts],
  };
}
