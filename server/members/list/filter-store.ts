import { type RawBuilder, sql } from 'kysely';
import { FILTERED_FIELDS } from '../../../contract/member-fields.ts';
import { NO_SOURCE } from '../../../contract/member-states.ts';
import { column } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Criteria, TextCriterion } from './filter-rules.ts';

function selectMatching(criteria: Criteria): RawBuilder<{ id: string }> {
  return sql`
    select member.id from member join standing on standing.member_id = member.id
    where ${matches(criteria)}`;
}

export async function readMatchingIds(
  transaction: Transaction,
  criteria: Criteria,
  { ids, limit }: { ids: readonly string[] | null; limit: number },
): Promise<string[]> {
  const among = ids === null ? sql`true` : sql`matching.id = any(${ids}::uuid[])`;
  return await column<string>(transaction)`
    select id from (${selectMatching(criteria)}) matching where ${among} limit ${limit}::integer
  `;
}

export function matches(criteria: Criteria): RawBuilder<boolean> {
  const { text, source, isConfirmed, mail } = criteria;
  const conditions = [
    ...positionsWithin(criteria),
    ...referralsWithin(criteria),
    ...joinedWithin(criteria),
  ];
  if (text !== null) conditions.push(matchesText(text));
  if (source !== null) conditions.push(matchesSource(source));
  for (const name of FILTERED_FIELDS)
    if (criteria[name] !== null)
      conditions.push(sql`${sql.ref(`member.${name}`)} = ${criteria[name]}`);
  if (isConfirmed !== null)
    conditions.push(sql`(member.confirmed_at is not null) = ${isConfirmed}::boolean`);
  if (mail !== null) conditions.push(matchesMail(mail));
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** Both ends, as the planner takes a range with two unknown ends for a short one. */
export function positionsWithin({ positions }: Criteria): RawBuilder<boolean>[] {
  if (positions === null) return [];
  const { least, most } = positions;
  return [
    sql`standing.sort_key >= ${keyAtPosition(least)}`,
    sql`standing.sort_key <= ${most === Infinity ? sql.lit(LAST_KEY) : keyAtPosition(most)}`,
  ];
}

export function referralsWithin({ referrals }: Criteria): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = [];
  if (referrals !== null && referrals.least > 0)
    conditions.push(sql`-standing.referral_count <= ${-referrals.least}::integer`);
  if (referrals !== null && referrals.most !== null)
    conditions.push(sql`-standing.referral_count >= ${-referrals.most}::integer`);
  return conditions;
}

export function joinedWithin({ joinedFrom, joinedTo }: Criteria): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = [];
  if (joinedFrom !== null) conditions.push(sql`member.joined_at >= ${joinedFrom}::timestamptz`);
  if (joinedTo !== null) conditions.push(sql`member.joined_at < ${joinedTo}::timestamptz`);
  return conditions;
}

export function matchesText(text: TextCriterion): RawBuilder<boolean> {
  const ways = text.parts.map((part) => sql`strpos(member.email_identity, ${part}) > 0`);
  if (text.id !== null) ways.push(sql`member.id = ${text.id}::uuid`);
  if (text.code !== null) ways.push(sql`member.referral_code = ${text.code}`);
  return sql`(${sql.join(ways, sql` or `)})`;
}

/** A suppressed address that is in line again counts as "sending" until the next mail to it. */
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

export function sourcesWith(value: string): RawBuilder<number[]> {
  return sql`array(
    select id from source
    where ${value.toLowerCase()} = any(string_to_array(key, E'\\n'))
  )`;
}

export const FIRST_KEY = -(2 ** 52);
export const LAST_KEY = 2 ** 52 - 1;

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
