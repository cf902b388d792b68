import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';

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

export async function writeTrust(
  transaction: Transaction,
  { network: { key_id, narrow }, isTrusted }: { network: TracedNetwork; isTrusted: boolean },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await (isTrusted
    ? sql`insert into trusted_network (key_id, narrow)
        values (${key_id}::integer, ${narrow}::integer) on conflict do nothing`
    : sql`delete from trusted_network where trust = (
        select trust from trusted_network
        where key_id = ${key_id}::integer and narrow = ${narrow}::integer)`
  ).execute(transaction);
  return numAffectedRows > 0n;
}

export type SeenNetwork = TracedNetwork & { readonly known: readonly number[] };

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
