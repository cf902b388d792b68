/** SQL of trusted networks, known by the trace of a member who joined from there. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';

/** A keyed hash: it names no network. */
export type TracedNetwork = { readonly key_id: number; readonly narrow: number };

export async function readNetworkOf(
  transaction: Transaction,
  memberId: string,
): Promise<(TracedNetwork & { readonly held: number }) | null> {
  const { rows } = await sql<TracedNetwork & { held: number }>`
    select key_id, narrow, (
      select count(*) from member friend
      cross join lateral (
        select key_id, narrow from join_trace where member_id = friend.id offset 0
      ) other
      where friend.credit = 'held'
        and other.key_id = trace.key_id and other.narrow = trace.narrow
    ) as held
    from join_trace trace where member_id = ${memberId}::uuid and narrow <> 0
  `.execute(transaction);
  return rows[0] ?? null;
}

/** False when it is trusted already. */
export async function insertTrusted(
  transaction: Transaction,
  { key_id, narrow }: TracedNetwork,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('trusted_network')
    .values({ key_id, narrow })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Deletes the network under all its keys. False when it was not trusted. */
export async function deleteTrusted(
  transaction: Transaction,
  { key_id, narrow }: TracedNetwork,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('trusted_network')
    .where('trust', '=', ({ selectFrom }) =>
      selectFrom('trusted_network')
        .select('trust')
        .where('key_id', '=', key_id)
        .where('narrow', '=', narrow),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** A trusted network in a request: its hash under the newest key, and under all. */
export type SeenNetwork = TracedNetwork & { readonly known: readonly number[] };

/** Trusts the network under the newest key too, if it is trusted under another. */
export async function renewTrust(
  { kysely }: Database,
  { key_id, narrow, known }: SeenNetwork,
): Promise<void> {
  await sql`
    insert into trusted_network (key_id, narrow, trust)
    select ${key_id}::integer, ${narrow}::integer, trust
    from trusted_network where narrow = any(${known}::integer[]) order by since limit 1
    on conflict do nothing
  `.execute(kysely);
}
