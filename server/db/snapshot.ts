import type { ControlledTransaction } from 'kysely';
import type { Database } from './database.ts';
import { run } from './rows.ts';
import type { Tables } from './schema/tables.ts';

export type Snapshot = ControlledTransaction<Tables>;

/** Reads one moment until rolled back. On the embedded engine all other queries wait. */
export async function openSnapshot({ kysely }: Database): Promise<Snapshot> {
  const snapshot = await kysely
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  await run(snapshot)`set local statement_timeout = 0`;
  await run(snapshot)`set local idle_in_transaction_session_timeout = '10min'`;
  return snapshot;
}

export async function inSnapshot<T>(
  database: Database,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const snapshot = await openSnapshot(database);
  return await work(snapshot).finally(() => snapshot.rollback().execute());
}
