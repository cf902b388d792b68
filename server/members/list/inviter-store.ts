import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { all } from '../../db/rows.ts';
import type { Source } from '../../line/sources/source-rules.ts';
import { sourceColumns } from '../../line/sources/source-store.ts';
import type { Criteria } from './filter-rules.ts';
import { joinedWithin, matches } from './filter-store.ts';

export type JoinKey = { readonly at: string; readonly sequence: number };

export type BroughtFriends = {
  readonly inviterId: string;
  readonly sourceId: number;
  readonly friends: number;
  readonly waiting: number;
};

type Step = { readonly walked: number; readonly at: string; readonly sequence: number };

/** `last` is null once all were counted. `criteria` have no position and no tier. */
export async function countBrought(
  { kysely }: Database,
  { criteria, after, members }: { criteria: Criteria; after: JoinKey | null; members: number },
): Promise<{ readonly brought: readonly BroughtFriends[]; readonly last: JoinKey | null }> {
  const range = joinedWithin(criteria);
  if (after !== null)
    range.push(sql`(member.joined_at, member.sequence)
      > (${after.at}::timestamptz, ${after.sequence}::bigint)`);
  const rows = await all<Step & (BroughtFriends | { inviterId: null })>(kysely)`
    with walked as materialized (
      select * from member where ${sql.join(range, sql` and `)}
      order by joined_at, sequence limit ${members}::integer
    )
    select step.*, found.*
    from (
      select count(*) as walked, max(joined_at)::text as at,
        (array_agg(sequence order by joined_at desc, sequence desc))[1] as sequence
      from walked
    ) step
    left join (
      select referrer_id as "inviterId", coalesce(source_id, 0) as "sourceId",
        count(*) filter (where credit = 'given') as friends,
        count(*) filter (where credit in ('pending', 'held')) as waiting
      from walked member
      where referrer_id is not null and credit <> 'refused' and ${matches(criteria)}
      group by 1, 2
    ) found on true
  `;
  const [step] = rows;
  return {
    brought: rows.flatMap((row) => (row.inviterId === null ? [] : [row])),
    last: step === undefined || step.walked < members ? null : step,
  };
}

export async function readSourcesById(
  { kysely }: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Source>> {
  const rows = await all<Source & { id: number }>(kysely)`
    select id, ${sourceColumns} from source where id = any(${[...new Set(ids)]}::integer[])
  `;
  return new Map(rows.map(({ id, ...source }) => [id, source]));
}
