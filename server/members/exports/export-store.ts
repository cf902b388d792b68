import { sql } from 'kysely';
import { all, only } from '../../db/rows.ts';
import type { Snapshot } from '../../db/snapshot.ts';
import type { Criteria } from '../list/filter-rules.ts';
import { FIRST_KEY, keyAtPosition, LAST_KEY, matches } from '../list/filter-store.ts';
import { type MemberRow, memberColumns, memberJoins } from '../list/projection-store.ts';

const ALL_KEYS = { first: FIRST_KEY, last: LAST_KEY };

async function readBounds(snapshot: Snapshot, { positions }: Criteria): Promise<typeof ALL_KEYS> {
  if (positions === null) return ALL_KEYS;
  const { least, most } = positions;
  return await only<typeof ALL_KEYS>(snapshot)`
    select ${keyAtPosition(least - 1)} as first,
      ${most === Infinity ? sql.lit(LAST_KEY) : keyAtPosition(most)} as last
  `;
}

type Step = { readonly walked: number; readonly last_key: number | null };

/** Pages of those that match among `pageSize` members. Positions count all members. */
export async function* readMatchingPages(
  snapshot: Snapshot,
  { criteria, pageSize }: { criteria: Criteria; pageSize: number },
): AsyncGenerator<readonly MemberRow[]> {
  const condition = matches({ ...criteria, positions: null });
  const { first, last } = await readBounds(snapshot, criteria);
  let [lastKey, before] = [first, Math.max(0, (criteria.positions?.least ?? 1) - 1)];
  for (;;) {
    const rows = await all<Step & (MemberRow | { id: null })>(snapshot)`
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
          select member.*, standing.referral_count, standing.unconfirmed,
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
    `;
    const [step] = rows;
    if (step === undefined || step.last_key === null) return;
    lastKey = step.last_key;
    before += step.walked;
    yield rows.flatMap(({ walked, last_key, ...row }) => (row.id === null ? [] : [row]));
    if (step.walked < pageSize) return;
  }
}
