/** Pages of members: walked in the order of an index, or collected from few candidates. */
import { type RawBuilder, sql } from 'kysely';
import { NO_SOURCE } from '../../../contract/operator/member-filter.ts';
import type { Database } from '../../db/database.ts';
import type { Source } from '../../line/sources/source-rules.ts';
import type { Criteria } from './filter-rules.ts';
import { keyAtPosition, matches, sourcesWith } from './filter-store.ts';
import type { ListKey, ListOrder } from './list-cursor-rules.ts';

export type ListedRow = Source & {
  readonly id: string;
  readonly email: string;
  readonly referral_code: string;
  readonly referral_count: number;
  readonly position: number;
  readonly is_invited: boolean;
  readonly point_adjustment: number;
  readonly referred_by: string | null;
  readonly joined_at: Date;
  readonly confirmed_at: Date | null;
  readonly credit: 'none' | 'pending' | 'held' | 'given' | 'refused';
  readonly credit_reasons: string[];
  readonly mail_state: 'sending' | 'stopped' | 'bounced' | 'complained';
  readonly key_first: number;
  readonly key_second: number;
};

/** Members that were looked at: in the order of the list, or all candidates. */
type LookedAt =
  | { readonly kind: 'walk'; readonly members: number }
  | { readonly kind: 'candidates'; readonly candidates: Candidates };

/** A statement that selects member ids, as the column id. */
export type Candidates = RawBuilder<{ id: string }>;

type PageQuery = {
  readonly criteria: Criteria;
  readonly order: ListOrder;
  readonly after: ListKey | null;
  readonly source: LookedAt;
  readonly limit: number;
};

export type Looked = {
  readonly rows: readonly ListedRow[];
  /** How many members were looked at, and the last of them in the order of the list. */
  readonly looked: number;
  readonly lastKey: ListKey | null;
};

/** The first members behind the cursor that match, among those of the source. */
export async function readListed({ kysely }: Database, query: PageQuery): Promise<Looked> {
  const { criteria, order, limit } = query;
  const [up, down] = order.isBackwards ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const { rows } = await sql<Partial<ListedRow> & Reach>`
    with looked as materialized (${lookedAt(query)}),
    matched as materialized (
      select looked.first, looked.second, member.*, standing.sort_key, standing.referral_count
      from looked ${joinRows}
      where ${matches(criteria)}
      order by looked.first ${up}, looked.second ${up}
      limit ${limit}::integer
    )
    select reach.looked, reach.last_first, reach.last_second, shown.*
    from (
      select count(*) as looked,
        (select first from looked order by first ${down}, second ${down} limit 1) as last_first,
        (select second from looked order by first ${down}, second ${down} limit 1) as last_second
      from looked
    ) reach
    left join (
      select matched.first as key_first, matched.second as key_second, matched.id, matched.email,
        matched.referral_code, matched.referral_count, own.position, matched.is_invited,
        matched.point_adjustment,
        referrer.referral_code as referred_by, matched.joined_at, matched.confirmed_at,
        matched.credit, coalesce(doubted.rules, '{}') as credit_reasons,
        coalesce(suppressed.reason, 'sending') as mail_state, source.utm_source,
        source.utm_medium, source.utm_campaign, source.referring_host, source.via
      from matched
      cross join lateral position_of(matched.sort_key) own
      join source on source.id = coalesce(matched.source_id, 0)
      left join lateral (
        select referral_code from member inviting where inviting.id = matched.referrer_id offset 0
      ) referrer on true
      left join lateral (
        select reason from mail_suppression where member_id = matched.id limit 1
      ) suppressed on true
      left join lateral (
        select rules from credit_case where member_id = matched.id offset 0
      ) doubted on true
    ) shown on true
    order by shown.key_first ${up}, shown.key_second ${up}
  `.execute(kysely);
  const [{ looked, last_first, last_second } = NOTHING] = rows;
  return {
    rows: rows.filter((row): row is ListedRow & Reach => row.id !== null),
    looked,
    lastKey: last_first === null || last_second === null ? null : [last_first, last_second],
  };
}

type Reach = {
  readonly looked: number;
  readonly last_first: number | null;
  readonly last_second: number | null;
};
const NOTHING: Reach = { looked: 0, last_first: null, last_second: null };

/** How many members of the source match, and where the source ends. */
export async function countMatching(
  { kysely }: Database,
  query: Omit<PageQuery, 'limit'>,
): Promise<{ matching: number } & Omit<Looked, 'rows'>> {
  const down = query.order.isBackwards ? sql`asc` : sql`desc`;
  const { rows } = await sql<Reach & { matching: number }>`
    with looked as materialized (${lookedAt(query)})
    select
      (select count(*) from looked ${joinRows} where ${matches(query.criteria)}) as matching,
      (select count(*) from looked) as looked,
      (select first from looked order by first ${down}, second ${down} limit 1) as last_first,
      (select second from looked order by first ${down}, second ${down} limit 1) as last_second
  `.execute(kysely);
  const { matching, looked, last_first, last_second } = rows[0] ?? { matching: 0, ...NOTHING };
  const lastKey =
    last_first === null || last_second === null ? null : ([last_first, last_second] as const);
  return { matching, looked, lastKey };
}

/** Look-ups by key, whatever the planner thinks of the tables. */
const joinRows = sql`
  cross join lateral (select * from member where id = looked.member_id offset 0) member
  cross join lateral (
    select sort_key, referral_count from standing
    where standing.member_id = looked.member_id offset 0
  ) standing`;

/** Rows of member_id, first and second: see ListKey. */
function lookedAt({
  criteria,
  order,
  after,
  source,
}: Omit<PageQuery, 'limit'>): RawBuilder<unknown> {
  const conditions = [
    ...rangeOf(criteria, order),
    ...(after === null ? [] : [isBehind(order, after)]),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { table, id } = TABLES[order.sort];
  if (source.kind === 'candidates')
    return sql`
      select ${id} as member_id, ${keyOf(order)} from (${source.candidates}) candidate
      cross join lateral (
        select * from ${table} where ${id} = candidate.id offset 0
      ) ${table}
      ${where}`;
  const up = order.isBackwards ? sql`desc` : sql`asc`;
  const sorted = {
    position: sql`standing.sort_key ${up}`,
    joined: sql`member.joined_at ${up}, member.sequence ${up}`,
    referrals: sql`(-standing.referral_count) ${up}, standing.sort_key ${up}`,
  }[order.sort];
  return sql`
    select ${id} as member_id, ${keyOf(order)} from ${table} ${where}
    order by ${sorted} limit ${source.members}::integer`;
}

const STANDING = { table: sql`standing`, id: sql`standing.member_id` };
/** Where the key of each order is. */
const TABLES = {
  position: STANDING,
  joined: { table: sql`member`, id: sql`member.id` },
  referrals: STANDING,
};

function keyOf({ sort }: ListOrder): RawBuilder<unknown> {
  return {
    position: sql`standing.sort_key as first, 0::bigint as second`,
    joined: sql`(extract(epoch from member.joined_at) * 1000000)::bigint as first,
      member.sequence as second`,
    referrals: sql`(-standing.referral_count)::bigint as first, standing.sort_key as second`,
  }[sort];
}

function isBehind({ sort, isBackwards }: ListOrder, [first, second]: ListKey): RawBuilder<boolean> {
  const than = isBackwards ? sql`<` : sql`>`;
  return {
    position: sql<boolean>`standing.sort_key ${than} ${first}::bigint`,
    joined: sql<boolean>`(member.joined_at, member.sequence) ${than}
      (${momentOf(first)}, ${second}::bigint)`,
    referrals: sql<boolean>`(-standing.referral_count, standing.sort_key) ${than}
      (${first}::integer, ${second}::bigint)`,
  }[sort];
}

function momentOf(microseconds: number): RawBuilder<Date> {
  return sql`('epoch'::timestamptz + ${microseconds}::bigint * interval '1 microsecond')`;
}

/** What a criterion means for the index of the list: it is walked from there, and no further. */
function rangeOf(criteria: Criteria, { sort }: ListOrder): RawBuilder<boolean>[] {
  if (sort === 'joined') return joinedWithin(criteria);
  return sort === 'referrals' ? referralsWithin(criteria) : [];
}

function joinedWithin({ joinedFrom, joinedTo }: Criteria): RawBuilder<boolean>[] {
  return [
    ...(joinedFrom === null ? [] : [sql<boolean>`member.joined_at >= ${joinedFrom}::timestamptz`]),
    ...(joinedTo === null ? [] : [sql<boolean>`member.joined_at < ${joinedTo}::timestamptz`]),
  ];
}

function referralsWithin({ referrals }: Criteria): RawBuilder<boolean>[] {
  if (referrals === null) return [];
  const { least, most } = referrals;
  return [
    ...(least === 0 ? [] : [sql<boolean>`-standing.referral_count <= ${-least}::integer`]),
    ...(most === null ? [] : [sql<boolean>`-standing.referral_count >= ${-most}::integer`]),
  ];
}

/** What an index finds for each criterion alone; `sequences` are those found by address. */
export function candidatesOf(
  criteria: Criteria,
  sequences: readonly number[] | null,
): Candidates[] {
  const { text, referrals, source, credit, isConfirmed, mail } = criteria;
  const found: Candidates[] = [];
  if (text?.kind === 'position')
    found.push(
      sql`select member_id as id from standing where sort_key = ${keyAtPosition(text.position)}`,
    );
  if (text?.kind === 'words' && sequences !== null)
    found.push(sql`
      select id from member where sequence = any(${sequences}::bigint[])
      union select id from member where id = ${text.id}::uuid
      union select id from member where referral_code = ${text.code}
      union select id from member where email_identity = any(${text.parts}::text[])`);
  if (referrals !== null && referrals.least > 0)
    found.push(sql`
      select member_id as id from standing
      where ${sql.join(referralsWithin(criteria), sql` and `)}`);
  if (source !== null && source !== NO_SOURCE)
    found.push(sql`select id from member where source_id = any(${sourcesWith(source)})`);
  // As literals, which the planner can compare with the conditions of partial indexes.
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

/** How many there are, counted up to a limit; in the same order. */
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
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::integer[] as counts
  `.execute(kysely);
  return rows[0]?.counts ?? [];
}

export async function readTotal({ kysely }: Database): Promise<number> {
  const { total } = await kysely.selectFrom('line_state').select('total').executeTakeFirstOrThrow();
  return total;
}
