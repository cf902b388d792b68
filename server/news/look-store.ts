/** One look for news: a transaction that only one server has at a time, and that never makes a join wait for long. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export type Look = Transaction<Tables>;

/** Any number will do, as long as every server uses the same one and nothing else does. */
const LOOK_LOCK = 7_402_114_391;

/** Null, without waiting, while another server looks. */
export async function inOneLook<T>({ kysely }: Database, work: (look: Look) => Promise<T>): Promise<T | null> {
  return await kysely.transaction().execute(async (look) => {
    const { rows } = await sql<{ is_ours: boolean }>`
      select pg_try_advisory_xact_lock(${LOOK_LOCK}::bigint) as is_ours
    `.execute(look);
    return rows[0]?.is_ours ? await work(look) : null;
  });
}

/**
 * Of these members, those that nobody is crediting or removing; until the look ends, nobody will. Who writes what members were told holds
 * this first: their rows refer to the member, and a join that has the member would otherwise be waited for while it waits for us.
 */
export async function holdMembers(look: Look, memberIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from member where id = any(${memberIds}::uuid[]) for share skip locked
  `.execute(look);
  return new Set(rows.map((row) => row.id));
}
