import type { Database } from '../db/database.ts';

export async function keepSecretFingerprint(
  database: Database,
  fingerprint: string,
): Promise<string | null> {
  await database.kysely
    .insertInto('secret_check')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await readSecretFingerprint(database);
}

export async function readSecretFingerprint({ kysely }: Database): Promise<string | null> {
  const row = await kysely.selectFrom('secret_check').select('fingerprint').executeTakeFirst();
  return row?.fingerprint ?? null;
}
