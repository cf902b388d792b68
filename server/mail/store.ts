/** What mail asks of the database, but for the queue itself. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Keeps the fingerprint of the first server of this database and answers it ever after. */
export async function keepSecretFingerprint({ kysely }: Database, fingerprint: string): Promise<string> {
  await kysely
    .insertInto('secret_check')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await kysely.selectFrom('secret_check').select('fingerprint').executeTakeFirstOrThrow();
  return row.fingerprint;
}

/** Null when no server has been started on the database yet. */
export async function readSecretFingerprint({ kysely }: Database): Promise<string | null> {
  const row = await kysely.selectFrom('secret_check').select('fingerprint').executeTakeFirst();
  return row?.fingerprint ?? null;
}

/** Further ahead than all servers of a database together reserve. */
const MOST_SLOTS_AHEAD = 64;
const LEAST_AHEAD_MS = 5_000;

/**
 * Milliseconds until the first of `count` times that lie `apartMs` apart; the row is the same for all servers. One that lies further ahead
 * than can be was reserved before the clock was put back, and counts no more.
 */
export async function claimSlots(
  { kysely }: Database,
  { count, apartMs }: { count: number; apartMs: number },
): Promise<number> {
  const mostAheadMs = Math.max(MOST_SLOTS_AHEAD * apartMs, LEAST_AHEAD_MS);
  const { rows } = await sql<{ in_ms: number }>`
    with moment as (select clock_timestamp() as at)
    update mail_pace
    set next_at = make_interval(secs => ${(count * apartMs) / 1000}::float8) + case
      when mail_pace.next_at between moment.at and moment.at + make_interval(secs => ${mostAheadMs / 1000}::float8)
      then mail_pace.next_at else moment.at end
    from moment
    returning extract(epoch from next_at - moment.at)::float8 * 1000 - ${count * apartMs}::float8 as in_ms
  `.execute(kysely);
  return Math.max(0, rows[0]?.in_ms ?? 0);
}
