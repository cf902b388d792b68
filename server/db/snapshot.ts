import { type ControlledTransaction, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './schema/tables.ts';

export type Snapshot = ControlledTransaction<Tables>;

/**
 * One moment of the database, to read from until it is rolled back. On PostgreSQL it keeps nobody
 * waiting; on the embedded engine all others wait, so take one of a copy there.
 */
export async function openSnapshot({ kysely }: Database): Promise<Snapshot> {
  const snapshot = await kysely
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  await sql`set local statement_timeout = 0`.execute(snapshot);
  // What reads it may wait for a slow client.
  await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(snapshot);
  return snapshot;
}
