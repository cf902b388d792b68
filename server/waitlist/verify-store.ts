/** The line worked out anew from its members, each kind of thing by another way than the one that keeps it. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { LineRule } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { type KeyFormula, PLACES_PER_FRIEND } from './line-rules.ts';

/** How many differ, and one of them. */
export type Differing = { readonly count: number; readonly example: string | null };

/** One in so many members has their place looked up by itself. */
const LOOKED_UP_EVERY = 100;

/** Runs `work` on the line of one moment, and changes nothing. */
export async function inOneSnapshot<T>(
  { kysely }: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction);
      return await work(transaction);
    });
}

/** Members whose referral count is not the number of members credited to them. */
export async function findWrongCredits(transaction: Transaction<Tables>): Promise<Differing> {
  return await countDiffering(
    transaction,
    sql`select member.id || ' has ' || member.referral_count || ', credited are ' || coalesce(credit.friends, 0) as example
        from member
        left join (
          select referrer_id, count(*) as friends from member where is_credited group by referrer_id
        ) credit on credit.referrer_id = member.id
        where member.referral_count <> coalesce(credit.friends, 0)`,
  );
}

/** Members whose sort key is not what the formula gives. */
export async function findWrongKeys(transaction: Transaction<Tables>, formula: KeyFormula): Promise<Differing> {
  const key = sql`sequence * ${formula.perJoin}::bigint - referral_count * ${formula.perCredit}::bigint
    - case when is_invited then ${formula.perInvite}::bigint else 0 end`;
  return await countDiffering(
    transaction,
    sql`select id || ' has ' || sort_key || ', the rule gives ' || (${key}) as example
        from member where sort_key <> ${key}`,
  );
}

/**
 * Members whose place by the bucket counts is not the one that the rule gives in plain words. Looked up is the place of each narrowest
 * bucket's start, from where its members are counted; for every so many members also their own, as their status page does it.
 */
export async function findWrongPlaces(transaction: Transaction<Tables>, rule: LineRule): Promise<Differing> {
  // Without statistics, as in a young database, the places could be planned as a scan of the whole line for each of them.
  await sql`set local enable_seqscan = off`.execute(transaction);
  return await countDiffering(
    transaction,
    sql`with start as materialized (
          select occupied.bucket, place_of.place
          from line_state line, lateral (select distinct sort_key >> line.bucket_shifts[1] as bucket from member) occupied
          cross join lateral place_of(occupied.bucket << line.bucket_shifts[1])
        ), ordered as materialized (
          select id, sort_key, bucket, row_number() over (order by ${plainOrder(rule)}) as place,
            row_number() over (partition by bucket order by sort_key) - 1 as ahead_in_bucket
          from member, line_state line, lateral (select sort_key >> line.bucket_shifts[1] as bucket) narrowest
        )
        select ordered.id || ' is told ' || told.place || ', is ' || ordered.place as example
        from ordered
        join start using (bucket)
        cross join lateral (
          select case when ordered.place % ${LOOKED_UP_EVERY} = 0 then (select place from place_of(ordered.sort_key))
            else start.place + ordered.ahead_in_bucket end as place
        ) told
        where told.place <> ordered.place`,
  );
}

/** Buckets whose count is not the number of members in them. */
export async function findWrongBuckets(transaction: Transaction<Tables>): Promise<Differing> {
  return await countDiffering(
    transaction,
    sql`select 'bucket 2^' || shift || ' wide from key ' || first_key_of(shift, node, slot) || ' counts '
          || coalesce(counted.members, 0) || ', holds ' || coalesce(held.members, 0) as example
        from (
          select shift, node, slot, members_before(sums, slot + 1) - members_before(sums, slot) as members
          from rank_node, generate_series(0, 255) slot
          where members_before(sums, slot + 1) <> members_before(sums, slot)
        ) counted
        full join (
          select step.shift, node_of(member.sort_key, step.shift) as node, slot_of(member.sort_key, step.shift) as slot, count(*) as members
          from line_state line, unnest(line.bucket_shifts) as step (shift), member
          group by 1, 2, 3
        ) held using (shift, node, slot)
        where counted.members is distinct from held.members`,
  );
}

export async function readTotals(transaction: Transaction<Tables>) {
  const { rows } = await sql<{ total: number; members: number; next_sequence: number; last_sequence: number }>`
    select line.total, line.next_sequence, held.members, held.last_sequence
    from line_state line, (select count(*) as members, coalesce(max(sequence), 0) as last_sequence from member) held
  `.execute(transaction);
  return rows[0] ?? { total: 0, members: 0, next_sequence: 0, last_sequence: 0 };
}

function plainOrder(rule: LineRule): RawBuilder<unknown> {
  return rule.name === 'points'
    ? sql`2 * referral_count + is_invited::integer desc, sequence`
    : sql`sequence - ${PLACES_PER_FRIEND}::integer * (referral_count + is_invited::integer), sequence`;
}

async function countDiffering(transaction: Transaction<Tables>, rows: RawBuilder<unknown>): Promise<Differing> {
  const result = await sql<Differing>`
    select count(*) as count, min(example) as example from (${rows}) differing
  `.execute(transaction);
  return result.rows[0] ?? { count: 0, example: null };
}
