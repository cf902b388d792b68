import { type Transaction as KyselyTransaction, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './schema/tables.ts';

export type Transaction = KyselyTransaction<Tables>;

/** What a transaction locks first, before it reads what it will change. */
export type Lock = 'line' | 'sizes';

/** Commits what `work` returns from, and rolls back what it throws from. */
export async function inTransaction<T>(
  { kysely }: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return await kysely.transaction().execute(work);
}

/** Does `work`, undoes it, and returns its result: what would have happened. */
export async function inUndoneTransaction<T>(
  { kysely }: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction = await kysely.startTransaction().execute();
  try {
    return await work(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

/** The same within a transaction, which goes on without the work. */
export async function undoneWithin<T>(
  transaction: Transaction,
  work: () => Promise<T>,
): Promise<T> {
  await sql`savepoint undone`.execute(transaction);
  try {
    return await work();
  } finally {
    await sql`rollback to savepoint undone`.execute(transaction);
  }
}

/**
 * Nobody else changes members, or sizes and allocations, until the transaction ends. All writers
 * take their locks in one order, so they cannot deadlock: the line, sizes, then the audit log.
 */
export async function lock(transaction: Transaction, what: Lock): Promise<void> {
  if (what === 'line')
    await transaction.selectFrom('line_state').select('is_only_row').forUpdate().execute();
  else await sql`lock table mask_size in share row exclusive mode`.execute(transaction);
}

/**
 * For statements over many rows that were just written: they have no statistics yet, so the planner
 * is left no choice but to look rows up by keys. No limit of time.
 */
export async function planByLookUp(transaction: Transaction): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('statement_timeout', '0', true)
  `.execute(transaction);
}
