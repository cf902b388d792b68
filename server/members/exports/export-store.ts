import { sql } from 'kysely';
import type { Snapshot } from '../../db/snapshot.ts';
import type { Criteria } from '../list/filter-rules.ts';
import { matches } from '../list/filter-store.ts';
import type { ListedRow } from '../list/list-store.ts';

type ExportRow = Omit<ListedRow, 'key_first' | 'key_second'>;
type Step = { readonly walked: number; readonly last_key: number | null };

/** Below every sort key. */
const START = Number.MIN_SAFE_INTEGER;

/**
 * The members of the line that match, from first to last, in pages: those that match among
 * `pageSize` members. Their positions count all members.
 */
export async function* readMatchingPages(
  snapshot: Snapshot,
  { criteria, pageSize }: { criteria: Criteria; pageSize: number },
): AsyncGenerator<readonly ExportRow[]> {
  let [lastKey, before] = [START, 0];
  for (;;) {
    const { rows } = await sql<Step & (ExportRow | { id: null })>`
      with walked as materialized (
        select standing.*, row_number() over (order by sort_key) as ordinal
        from (
          select * from standing where sort_key > ${lastKey}::bigint
          order by sort_key limit ${pageSize}::integer
        ) standing
      )
      select step.walked, step.last_key, shown.*
      from (select count(*) as walked, max(sort_key) as last_key from walked) step
      left join (
        select member.id, member.email, member.referral_code, standing.referral_count,
          ${before}::bigint + standing.ordinal as position, member.is_invited,
          member.point_adjustment, member.joined_at, member.confirmed_at, member.credit,
          referrer.referral_code as referred_by,
          coalesce(doubted.rules, '{}') as credit_reasons,
          coalesce(suppressed.reason, 'sending') as mail_state, source.utm_source,
          source.utm_medium, source.utm_campaign, source.referring_host, source.via
        from walked standing
        cross join lateral (
          select * from member
          where id = standing.member_id offset 0 -- a look-up by key, never a scan
        ) member
        left join lateral (
          select referral_code from member inviting where inviting.id = member.referrer_id offset 0
        ) referrer on true
        left join lateral (
          select reason from mail_suppression where member_id = member.id limit 1
        ) suppressed on true
        left join lateral (
          select rules from credit_case where member_id = member.id offset 0
        ) doubted on true
        join source on source.id = coalesce(member.source_id, 0)
        where ${matches(criteria)}
      ) shown on true
      order by shown.position
    `.execute(snapshot);
    const [step] = rows;
    if (step === undefined || step.last_key === null) return;
    lastKey = step.last_key;
    before += step.walked;
    yield rows.filter((row): row is Step & ExportRow => row.id !== null);
    if (step.walked < pageSize) return;
  }
}
