import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The size includes indexes and rows that vacuum has yet to free. */
export async function readDatabaseBytes({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes
  `.execute(kysely);
  return rows[0]?.bytes ?? 0;
}
