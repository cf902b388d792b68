import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { only } from '../../line/changes/change-store.ts';
import type { Waiting } from './digest-rules.ts';

export async function readWaiting({ kysely }: Database): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select count(*)::integer as credits, count(distinct friend.referrer_id)::integer as codes,
      min(coalesce(known.decided_at, known.created_at)) as since,
      (
        select count(*)::integer from second_look look where answered_at is null
          and exists (select from member where referrer_id = look.member_id and credit = 'held')
      ) as "secondLooks",
      (select sent_at from digest_state) as "lastAt"
    from member friend left join credit_case known on known.member_id = friend.id
    where friend.credit = 'held'
  `.execute(kysely);
  return only(rows);
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
