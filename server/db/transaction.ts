import type { Transaction as KyselyTransaction } from 'kysely';
import type { Database } from './database.ts';
import { run } from './rows.ts';
import type { Tables } from './schema/tables.ts';

export type Transaction = KyselyTransaction<Tables>;

export type Lock = 'line' | 'sizes';

export async function inTransaction<T>(
  { kysely }: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return await kysely.transaction().execute(work);
}

const DEADLOCK = '40P01';
const MAX_TRIES = 3;

/** Tries again after a deadlock, which undid `work`: others lock mails differently. */
export async function inRetriedTransaction<T>(
  ...wanted: Parameters<typeof inTransaction<T>>
): Promise<T> {
  for (let tried = 1; ; tried += 1)
    try {
      return await inTransaction(...wanted);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code !== DEADLOCK || tried === MAX_TRIES) throw error;
    }
}

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

export async function undoneWithin<T>(
  transaction: Transaction,
  work: () => Promise<T>,
): Promise<T> {
  await run(transaction)`savepoint undone`;
  try {
    return await work();
  } finally {
    await run(transaction)`rollback to savepoint undone`;
  }
}

/** Lock before reading what will change, in this order: line, sizes, audit log. */
export async function lock(transaction: Transaction, what: Lock): Promise<void> {
  await (what === 'line'
    ? run(transaction)`select from line_state for update`
    : run(transaction)`lock table mask_size in share row exclusive mode`);
}

/** Rows that were just written have no statistics. The statement timeout is off, too. */
export function planByLookUp(transaction: Transaction) {
  return run(transaction)`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('statement_timeout', '0', true)
  `;
}
