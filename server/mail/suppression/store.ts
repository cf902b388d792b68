/** Hashes of the addresses that are not written to. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Suppression, SuppressionReason } from './suppression.ts';

/** Keeps the strongest reason: who complained cannot be made one who merely stopped. */
export async function keepHash(
  { kysely }: Database,
  { hash, reason }: { hash: string; reason: SuppressionReason },
): Promise<void> {
  const strength = (column: string) =>
    sql`array_position(array['stopped', 'bounced', 'complained'], ${sql.ref(column)}::text)`;
  await sql`
    insert into mail_suppression (address_hash, reason) values (${hash}, ${reason})
    on conflict (address_hash) do update set reason = excluded.reason, since = excluded.since
    where ${strength('mail_suppression.reason')} < ${strength('excluded.reason')}
  `.execute(kysely);
}

/** Does nothing when the hash is kept for none of the reasons. */
export async function deleteHash(
  { kysely }: Database,
  { hash, reasons }: { hash: string; reasons: readonly SuppressionReason[] },
): Promise<void> {
  await kysely.deleteFrom('mail_suppression').where('address_hash', '=', hash).where('reason', 'in', reasons).execute();
}

/** Those of the hashes that are kept. */
export async function readHashes(
  { kysely }: Database,
  hashes: readonly string[],
): Promise<(Suppression & { hash: string })[]> {
  return await kysely
    .selectFrom('mail_suppression')
    .select(['address_hash as hash', 'reason', 'since'])
    .where('address_hash', '=', sql<string>`any(${[...hashes]}::text[])`)
    .execute();
}
