import { sql } from 'kysely';
import type { Snapshot } from '../../db/snapshot.ts';
import type { Criteria } from '../list/filter-rules.ts';
import { keyAtPosition, LAST_KEY, matches } from '../list/filter-store.ts';
import { type MemberRow, memberColumns, memberJoins } from '../list/projection-store.ts';

type Step = { readonly walked: number; readonly last_key: number | null };

/** Pages of those that match among `pageSize` members. Positions count all members. */
export async function* readMatchingPages(
  snapshot: Snapshot,
  { criteria, pageSize }: { criteria: Criteria; pageSize: number },
): AsyncGenerator<readonly MemberRow[]> {
  const { positions, ...others } = criteria;
  const { least, most } = positions ?? { least: 1, most: Infinity };
  const condition = matches({ ...others, positions: null });
  const bounds = await sql<{ before_first: number; last: number }>`
    select ${keyAtPosition(least - 1)} as before_first,
      ${most === Infinity ? LAST_KEY : keyAtPosition(most)} as last
  `.execute(snapshot);
  const { before_first: beforeFirst = 0, last = 0 } = bounds.rows[0] ?? {};
  let [lastKey, before] = [beforeFirst, Math.max(0, least - 1)];
  for (;;) {
    const { rows } = await sql<Step & (MemberRow | { id: null })>`
      with walked as materialized (
        select standing.*, row_number() over (order by sort_key) as ordinal
        from (
          select * from standing
          where sort_key > ${lastKey}::bigint and sort_key <= ${last}::bigint
          order by sort_key limit ${pageSize}::integer
        ) standing
      )
      select step.walked, step.last_key, shown.*
      from (select count(*) as walked, max(sort_key) as last_key from walked) step
      left join (
        select ${memberColumns}
        from (
          select member.*, standing.referral_count,
            ${before}::bigint + standing.ordinal as position
          from walked standing
          cross join lateral (
            select * from member
            where id = standing.member_id offset 0 -- a look-up by key, never a scan
          ) member
          where ${condition}
        ) member ${memberJoins}
      ) shown on true
      order by shown.position
    `.execute(snapshot);
    const [step] = rows;
    if (step === undefined || step.last_key === null) return;
    lastKey = step.last_key;
    before += step.walked;
    yield rows.flatMap(({ walked, last_key, ...row }) => (row.id === null ? [] : [row]));
    if (step.walked < pageSize) return;
  }
}
