import pg from 'pg';
import { openDatabase } from '../server/db/open.ts';
import type { Place } from './checkout.ts';

const SIZE = 'select pg_database_size(current_database())::float8 as bytes';

/** Of a database; no server may have it open if it is the embedded one. */
export async function databaseBytes(place: Place): Promise<number> {
  if (place.databaseUrl === null) {
    const database = await openDatabase({ ...place, log: () => {} });
    const { rows } = await database.runSql(SIZE);
    await database.close();
    return (rows[0] as { bytes: number }).bytes;
  }
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ bytes: number }>(SIZE);
  await client.end();
  return rows[0]?.bytes ?? 0;
}
