/**
 * A filter as SQL. Its conditions are about one row of `member` and its row of `standing`, under
 * these names.
 */
import { type RawBuilder, sql } from 'kysely';
import { NO_SOURCE } from '../../../contract/operator/member-filter.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Criteria, TextCriterion } from './filter-rules.ts';

/**
 * The ids of all members that match, one column named id, to be used within a larger statement:
 * `where id in (${selectMatching(criteria)})`.
 */
export function selectMatching(criteria: Criteria): RawBuilder<{ id: string }> {
  return sql`
    select member.id from member join standing on standing.member_id = member.id
    where ${matches(criteria)}`;
}

/** Of all members, or of those with these ids. */
export async function readMatchingIds(
  transaction: Transaction,
  criteria: Criteria,
  { ids, limit }: { ids: readonly string[] | null; limit: number },
): Promise<string[]> {
  const among = ids === null ? sql`true` : sql`matching.id = any(${ids}::uuid[])`;
  const { rows } = await sql<{ id: string }>`
    select id from (${selectMatching(criteria)}) matching where ${among} limit ${limit}::integer
  `.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Whether a member matches; for the whole line, `true`. */
export function matches(criteria: Criteria): RawBuilder<boolean> {
  const { text, referrals, source, credit, joinedFrom, joinedTo, isConfirmed, mail } = criteria;
  const conditions: RawBuilder<boolean>[] = [];
  if (text !== null) conditions.push(matchesText(text));
  if (referrals !== null) {
    conditions.push(sql`standing.referral_count >= ${referrals.least}::integer`);
    if (referrals.most !== null)
      conditions.push(sql`standing.referral_count <= ${referrals.most}::integer`);
  }
  if (source !== null) conditions.push(matchesSource(source));
  if (credit !== null) conditions.push(sql`member.credit = ${credit}`);
  if (joinedFrom !== null) conditions.push(sql`member.joined_at >= ${joinedFrom}::timestamptz`);
  if (joinedTo !== null) conditions.push(sql`member.joined_at < ${joinedTo}::timestamptz`);
  if (isConfirmed !== null)
    conditions.push(sql`(member.confirmed_at is not null) = ${isConfirmed}::boolean`);
  if (mail !== null) conditions.push(matchesMail(mail));
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

function matchesText(text: TextCriterion): RawBuilder<boolean> {
  if (text.kind === 'position') return sql`standing.sort_key = ${keyAtPosition(text.position)}`;
  const ways = text.parts.map((part) => sql`strpos(member.email_identity, ${part}) > 0`);
  if (text.id !== null) ways.push(sql`member.id = ${text.id}::uuid`);
  if (text.code !== null) ways.push(sql`member.referral_code = ${text.code}`);
  return sql`(${sql.join(ways, sql` or `)})`;
}

/**
 * Where nobody has noticed yet that a suppressed address is in line again, its member counts as
 * "sending" until the next mail to them.
 */
function matchesMail(mail: NonNullable<Criteria['mail']>): RawBuilder<boolean> {
  const suppressed = sql`select from mail_suppression where member_id = member.id`;
  return mail === 'sending'
    ? sql`not exists (${suppressed})`
    : sql`exists (${suppressed} and reason = ${mail})`;
}

function matchesSource(source: string): RawBuilder<boolean> {
  if (source === NO_SOURCE) return sql`coalesce(member.source_id, 0) = 0`;
  return sql`member.source_id = any(${sourcesWith(source)})`;
}

/** The ids of sources that have the value, as an array. */
export function sourcesWith(value: string): RawBuilder<number[]> {
  return sql`array(
    select id from source
    where ${value} in (utm_source, utm_medium, utm_campaign, referring_host, via)
  )`;
}

/** From the smallest sort key to the greatest. */
const [FIRST_KEY, LAST_KEY] = [-(2 ** 52), 2 ** 52 - 1] as const;

/**
 * The greatest key that has at most the position: that of the member there, if there is one. By
 * bisection, 53 counts at most: the keys themselves would be counted one by one.
 */
export function keyAtPosition(position: number): RawBuilder<number> {
  return sql`(
    with recursive search (low, high) as (
      select ${sql.lit(FIRST_KEY)}::bigint, ${sql.lit(LAST_KEY)}::bigint
      union all
      select
        case when own.position <= ${position}::bigint then middle else low end,
        case when own.position <= ${position}::bigint then high else middle - 1 end
      from (
        select low, high, low + (high - low + 1) / 2 as middle from search where low < high
      ) half
      cross join lateral position_of(middle) own
    )
    select low from search where low >= high)`;
}
