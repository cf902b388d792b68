import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

export async function readLastDigest({ kysely }: Database): Promise<Date | null> {
  const { rows } = await sql<{ sent_at: Date | null }>`
    select sent_at from digest_state`.execute(kysely);
  return rows[0]?.sent_at ?? null;
}

export type DigestSlot = { readonly before: Date | null; readonly at: Date };

export async function takeDigestSlot(
  { kysely }: Database,
  everyHours: number,
): Promise<DigestSlot | null> {
  const due = await sql<{ before: Date | null }>`
    select sent_at as before from digest_state
    where sent_at is null
      or sent_at <= clock_timestamp() - make_interval(hours => ${everyHours}::integer)
  `.execute(kysely);
  const [last] = due.rows;
  if (last === undefined) return null;
  const { rows } = await sql<{ at: Date }>`
    update digest_state set sent_at = date_trunc('milliseconds', clock_timestamp())
    where sent_at is not distinct from ${last.before}::timestamptz
    returning sent_at as at
  `.execute(kysely);
  return rows[0] === undefined ? null : { ...last, ...rows[0] };
}

export async function returnDigestSlot(
  { kysely }: Database,
  { before, at }: DigestSlot,
): Promise<void> {
  await sql`update digest_state set sent_at = ${before} where sent_at = ${at}`.execute(kysely);
}
