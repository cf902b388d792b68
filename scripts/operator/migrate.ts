/** `./waitlist migrate`: tables and functions of this program, by the role that owns them. */
import type { Config } from '../../server/config.ts';
import { openDatabase } from '../../server/db/open.ts';

export async function migrate({ dataDir, databaseUrl }: Config): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl, log: console.error });
  await database.close();
  const place = databaseUrl === null ? dataDir : `PostgreSQL at ${new URL(databaseUrl).host}`;
  console.log(`The schema of the database in ${place} is up to date.`);
}
