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

export async function readSecretFingerprint({
  runSql,
}: Pick<Database, 'runSql'>): Promise<string | null> {
  const { rows } = await runSql<{ fingerprint: string }>('select fingerprint from secret_check');
  return rows[0]?.fingerprint ?? null;
}
