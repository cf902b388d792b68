import type { Database } from '../db/database.ts';

export async function keepSecretFingerprint(
  database: Database,
  fingerprint: string,
): Promise<string | null> {
  await database.runSql(
    'insert into secret_check (fingerprint) values ($1) on conflict do nothing',
    [fingerprint],
  );
  return await readSecretFingerprint(database);
}

export async function readSecretFingerprint({
  runSql,
}: Pick<Database, 'runSql'>): Promise<string | null> {
  const { rows } = await runSql<{ fingerprint: string }>('select fingerprint from secret_check');
  return rows[0]?.fingerprint ?? null;
}
