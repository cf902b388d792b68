/** What mail asks of the database, but for the queue itself. */
import type { Database } from '../db/database.ts';

/** Keeps the fingerprint of the first server of this database and answers it ever after. */
export async function keepSecretFingerprint({ kysely }: Database, fingerprint: string): Promise<string> {
  await kysely
    .insertInto('secret_check')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await kysely.selectFrom('secret_check').select('fingerprint').executeTakeFirstOrThrow();
  return row.fingerprint;
}
