import type { Database } from '../../db/database.ts';
import { first, run } from '../../db/rows.ts';

export async function readLastDigest({ kysely }: Database): Promise<Date | null> {
  const row = await first<{ sent_at: Date | null }>(kysely)`
    select sent_at from digest_state`;
  return row?.sent_at ?? null;
}

export type DigestSlot = { readonly before: Date | null; readonly at: Date };

export async function takeDigestSlot(
  { kysely }: Database,
  everyHours: number,
): Promise<DigestSlot | null> {
  const last = await first<{ before: Date | null }>(kysely)`
    select sent_at as before from digest_state
    where sent_at is null
      or sent_at <= clock_timestamp() - make_interval(hours => ${everyHours}::integer)
  `;
  if (last === null) return null;
  const row = await first<{ at: Date }>(kysely)`
    update digest_state set sent_at = date_trunc('milliseconds', clock_timestamp())
    where sent_at is not distinct from ${last.before}::timestamptz
    returning sent_at as at
  `;
  return row === null ? null : { ...last, ...row };
}

export function returnDigestSlot({ kysely }: Database, { before, at }: DigestSlot) {
  return run(kysely)`update digest_state set sent_at = ${before} where sent_at = ${at}`;
}
