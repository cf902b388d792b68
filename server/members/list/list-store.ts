import { type RawBuilder, sql } from 'kysely';
import { NO_SOURCE } from '../../../contract/member-states.ts';
import type { MemberSort } from '../../../contract/operator/member-list.ts';
import type { Database } from '../../db/database.ts';
import { all, column, only, value } from '../../db/rows.ts';
import type { Criteria, TextCriterion } from './filter-rules.ts';
import {
  joinedWithin,
  matches,
  matchesText,
  positionsWithin,
  referralsWithin,
  sourcesWith,
} from './filter-store.ts';
import type { ListKey, ListOrder } from './list-cursor-rules.ts';
import { type MemberRow, memberColumns, memberJoins } from './projection-store.ts';

export type Candidates = RawBuilder<{ id: string }>;

type ListQuery = {
  readonly criteria: Criteria;
  readonly order: ListOrder;
  readonly after: ListKey | null;
  /** The only members to look at, or how many to walk from the cursor on. */
  readonly among: Candidates | number;
};

type Reached = { readonly looked: number; readonly lastKey: ListKey | null };
type KeyedRow = MemberRow & { readonly key_first: number; readonly key_second: number };

export async function readListed(
  { kysely }: Database,
  query: ListQuery & { readonly limit: number },
): Promise<Reached & { rows: { readonly member: MemberRow; readonly key: ListKey }[] }> {
  const { criteria, order, limit } = query;
  const { up } = directions(order);
  const rows = await all<Reached & (KeyedRow | { id: null })>(kysely)`
    with looked as materialized (${lookedAt(query)}),
    matched as materialized (
      select looked.first, looked.second, member.*, standing.sort_key, standing.referral_count,
        standing.unconfirmed
      from looked ${joinRows}
      where ${matches(criteria)}
      order by looked.first ${up}, looked.second ${up}
      limit ${limit}::integer
    )
    select ${reached(order)}, shown.*
    from (select) reach
    left join (
      select member.first as key_first, member.second as key_second, ${memberColumns}
      from (
        select matched.*, own.position
        from matched cross join lateral position_of(matched.sort_key) own
      ) member ${memberJoins}
    ) shown on true
    order by shown.key_first ${up}, shown.key_second ${up}
  `;
  return {
    looked: rows[0]?.looked ?? 0,
    lastKey: rows[0]?.lastKey ?? null,
    rows: rows.flatMap((row) => {
      if (row.id === null) return [];
      const { looked, lastKey, key_first, key_second, ...member } = row;
      return [{ member, key: [key_first, key_second] as const }];
    }),
  };
}

export function countMatching({ kysely }: Database, query: ListQuery) {
  return only<Reached & { matching: number }>(kysely)`
    with looked as materialized (${lookedAt(query)})
    select ${reached(query.order)},
      (select count(*) from looked ${joinRows} where ${matches(query.criteria)}) as matching
  `;
}

function reached(order: ListOrder): RawBuilder<unknown> {
  const { down } = directions(order);
  return sql`(select count(*) from looked) as looked, (
    select json_build_array(first, second) from looked
    order by first ${down}, second ${down} limit 1
  ) as "lastKey"`;
}

/** Look-ups by key, whatever the planner estimates. */
const joinRows = sql`
  cross join lateral (select * from member where id = looked.member_id offset 0) member
  cross join lateral (
    select sort_key, referral_count, unconfirmed from standing
    where standing.member_id = looked.member_id offset 0
  ) standing`;

function lookedAt({ criteria, order, after, among }: ListQuery): RawBuilder<unknown> {
  const { up, than } = directions(order);
  const { table, id, columns, key, boundOf, rangeOf } = SORTS[order.sort];
  // Candidates are few, and compared with the filter once they are looked up.
  const conditions = typeof among === 'number' ? rangeOf(criteria) : [];
  if (after !== null)
    conditions.push(sql`(${sql.join(columns)}) ${than} (${sql.join(boundOf(after))})`);
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  if (typeof among !== 'number')
    return sql`
      select ${id} as member_id, ${key} from (${among}) candidate
      cross join lateral (
        select * from ${table} where ${id} = candidate.id offset 0
      ) ${table}
      ${where}`;
  return sql`
    select ${id} as member_id, ${key} from ${table} ${where}
    order by ${sql.join(columns.map((column) => sql`${column} ${up}`))}
    limit ${among}::integer`;
}

function directions({ isBackwards }: ListOrder) {
  return isBackwards
    ? { up: sql`desc`, down: sql`asc`, than: sql`<` }
    : { up: sql`asc`, down: sql`desc`, than: sql`>` };
}

type Sort = {
  readonly table: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly columns: readonly RawBuilder<unknown>[];
  boundOf(key: ListKey): readonly RawBuilder<unknown>[];
  readonly key: RawBuilder<unknown>;
  rangeOf(criteria: Criteria): RawBuilder<boolean>[];
};

const STANDING = { table: sql`standing`, id: sql`standing.member_id` };
const SORTS: Readonly<Record<MemberSort, Sort>> = {
  position: {
    ...STANDING,
    columns: [sql`standing.sort_key`],
    boundOf: ([first]) => [sql`${first}::bigint`],
    key: sql`standing.sort_key as first, 0::bigint as second`,
    rangeOf: positionsWithin,
  },
  joined: {
    table: sql`member`,
    id: sql`member.id`,
    columns: [sql`member.joined_at`, sql`member.sequence`],
    boundOf: ([microseconds, sequence]) => [
      sql`'epoch'::timestamptz + ${microseconds}::bigint * interval '1 microsecond'`,
      sql`${sequence}::bigint`,
    ],
    key: sql`(extract(epoch from member.joined_at) * 1000000)::bigint as first,
      member.sequence as second`,
    rangeOf: joinedWithin,
  },
  referrals: {
    ...STANDING,
    columns: [sql`(-standing.referral_count)`, sql`standing.sort_key`],
    boundOf: ([first, second]) => [sql`${first}::integer`, sql`${second}::bigint`],
    key: sql`(-standing.referral_count)::bigint as first, standing.sort_key as second`,
    rangeOf: referralsWithin,
  },
};

/** What an index finds for each criterion alone. */
export function candidatesOf(criteria: Criteria): Candidates[] {
  const { positions, referrals, source, credit, isConfirmed, mail } = criteria;
  const found: Candidates[] = [];
  if (positions !== null)
    found.push(sql`
      select member_id as id from standing
      where ${sql.join(positionsWithin(criteria), sql` and `)}`);
  if (referrals !== null && referrals.least > 0)
    found.push(sql`
      select member_id as id from standing
      where ${sql.join(referralsWithin(criteria), sql` and `)}`);
  if (source !== null && source !== NO_SOURCE)
    found.push(sql`select id from member where source_id = any(${sourcesWith(source)})`);
  // Literals, which the planner can compare with the conditions of partial indexes.
  if (credit === 'pending' || credit === 'held' || credit === 'refused')
    found.push(sql`select id from member where credit = ${sql.lit(credit)}`);
  if (isConfirmed === true) found.push(sql`select id from member where confirmed_at is not null`);
  if (mail !== null && mail !== 'sending')
    found.push(sql`
      select member_id as id from mail_suppression
      where member_id is not null and reason = ${mail}`);
  const joined = joinedWithin(criteria);
  if (joined.length > 0)
    found.push(sql`select id from member where ${sql.join(joined, sql` and `)}`);
  return found;
}

export async function countCandidates(
  { kysely }: Database,
  candidates: readonly Candidates[],
  limit: number,
): Promise<number[]> {
  if (candidates.length === 0) return [];
  const counts = candidates.map(
    (one) =>
      sql`(select count(*) from (select 1 from (${one}) one limit ${limit}::integer) counted)`,
  );
  return await value<number[]>(kysely)`
    select array[${sql.join(counts)}]::integer[] as counts
  `;
}

export function readLastSequence({ kysely }: Database) {
  return value<number>(kysely)`select coalesce(max(sequence), 0) as last from member`;
}

/** Ids of those among the next members who have the text, which no index knows. */
export function readWithText(
  { kysely }: Database,
  text: TextCriterion,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  return column<string>(kysely)`
    select id from member
    where sequence > ${after}::bigint and sequence <= ${after + limit}::bigint
      and ${matchesText(text)}
  `;
}
