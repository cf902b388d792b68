import type { Database } from '../../db/database.ts';
import { first, found, run } from '../../db/rows.ts';

export function readLastDigest({ kysely }: Database) {
  return found<Date>(kysely)`select sent_at from digest_state`;
}

type DigestSlot = { readonly before: Date | null; readonly at: Date };

/** Null while the last digest is younger, or when another server takes the slot. */
export function takeDigestSlot({ kysely }: Database, everyHours: number) {
  return first<DigestSlot>(kysely)`
    update digest_state set sent_at = date_trunc('milliseconds', clock_timestamp())
    from (select sent_at from digest_state for update) last
    where last.sent_at is null
      or last.sent_at <= clock_timestamp() - make_interval(hours => ${everyHours}::integer)
    returning last.sent_at as before, digest_state.sent_at as at
  `;
}

export function returnDigestSlot({ kysely }: Database, { before, at }: DigestSlot) {
  return run(kysely)`update digest_state set sent_at = ${before} where sent_at = ${at}`;
}
