import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { DAY_MS } from '../../durations.ts';
import type { Trace } from '../assessor.ts';

const DELETED_AT_ONCE = 5_000;
const TRACE_DAYS = 30;

export type TraceKey = { readonly id: number; readonly salt: Uint8Array };

export type KnownTrace = Trace & {
  readonly memberId: string;
  readonly identity: string;
  readonly ownCode: string;
  readonly code: string | null;
};

export async function renewKeys({ kysely }: Database, salt: Uint8Array): Promise<TraceKey[]> {
  await sql`
    insert into trace_key (id, salt)
    select coalesce(max(id), 0) % 32000 + 1, ${salt} from trace_key
    having coalesce(max(created_at), '-infinity')
      < clock_timestamp() - make_interval(days => ${TRACE_DAYS}::integer)
    on conflict do nothing`.execute(kysely);
  const { rows } = await sql<TraceKey>`
    select id, salt from trace_key order by created_at desc, id desc`.execute(kysely);
  return rows;
}

export async function readTraces(
  { kysely }: Database,
  { after, limit, notOf }: { after: string; limit: number; notOf: number },
): Promise<KnownTrace[]> {
  const { rows } = await sql<KnownTrace>`
    select trace.member_id as "memberId", trace.narrow, trace.wide, trace.hints, trace.flags,
      member.email_identity as identity, member.referral_code as "ownCode",
      referrer.referral_code as code
    from (
      select * from join_trace
      where member_id > ${after} and server is distinct from ${notOf}::integer
      order by member_id limit ${limit}
    ) trace
    join member on member.id = trace.member_id
    left join member referrer on referrer.id = member.referrer_id
    order by trace.member_id`.execute(kysely);
  return rows;
}

export function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

export function joinedMsOf(memberId: string): number {
  return Number.parseInt(memberId.slice(0, 8) + memberId.slice(9, 13), 16);
}

export function oldestTraceId(nowMs: number): string {
  return firstIdAt(nowMs - TRACE_DAYS * DAY_MS);
}

/** Deletes some at a time: the embedded engine blocks on a statement. */
export async function deleteOldTraces({ kysely }: Database): Promise<void> {
  const oldest = oldestTraceId(Date.now());
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from join_trace where member_id = any(array(
        select member_id from join_trace where member_id < ${oldest}
        order by member_id limit ${DELETED_AT_ONCE}))`.execute(kysely);
    if (numAffectedRows < DELETED_AT_ONCE) break;
    await letOthersIn();
  }
  await sql`
    with gone as (
      delete from trace_key
      where created_at < clock_timestamp() - make_interval(days => ${2 * TRACE_DAYS}::integer)
      returning id
    )
    delete from trusted_network where key_id in (select id from gone)`.execute(kysely);
}

export async function readTrusted({ kysely }: Database): Promise<number[]> {
  const { rows } = await sql<{ narrow: number }>`select narrow from trusted_network`.execute(
    kysely,
  );
  return rows.map(({ narrow }) => narrow);
}
