/** The product's own functions for what no call of its API does, for many members at once. */
import { sql } from 'kysely';
import type { Database } from '../server/db/database.ts';

/** They proved that the addresses are theirs. */
export async function confirmAll({ kysely }: Database, ids: readonly string[]): Promise<void> {
  await sql`select confirm_member(id) from unnest(${ids}::uuid[]) id`.execute(kysely);
}

/** The state of the credit that their referrers get for them. */
export async function setCredits(
  { kysely }: Database,
  ids: readonly string[],
  state: 'held' | 'refused',
): Promise<void> {
  await sql`select set_credit(id, ${state}) from unnest(${ids}::uuid[]) id`.execute(kysely);
}
