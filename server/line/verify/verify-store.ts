/** Spelled out anew on purpose: shared code would share the faults of the line. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { LineRule } from '../../../brand/brand-shape.ts';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import {
  type KeyFormula,
  keyFormula,
  PLACES_PER_FRIEND,
  POSITIONS_PER_FRIEND,
} from '../line-rules.ts';

export type Differing = { readonly count: number; readonly example: string | null };

const LOOKED_UP_EVERY = 100;

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

const WRONG_MEMBERS = sql`select coalesce(member.id, standing.member_id) || case
            when member.id is null then ' has a standing and is no member'
            else ' has no standing' end as example
        from member full join standing on standing.member_id = member.id
        where member.id is null or standing.member_id is null
        union all
        select 'sequence ' || sequence || ' is given ' || count(*) || ' times'
        from member group by sequence having count(*) > 1`;

const WRONG_COUNTS = sql`select member_id || ' has ' || referral_count || ', credited are '
          || coalesce(given.friends, 0) as example
        from standing
        left join (
          select referrer_id, count(*) as friends from member where credit = 'given'
          group by referrer_id
        ) given on given.referrer_id = member_id
        where referral_count <> coalesce(given.friends, 0)`;

const WRONG_STATES = sql`select member.id || ' is ' || credit || case
            when known.holds then ', and to be held'
            else ', and nothing holds it' end as example
        from member left join credit_case known on known.member_id = member.id
        where credit = 'held' and known.holds is not true or credit = 'given' and known.holds`;

const WRONG_TALLIES = sql`select 'count ' || referral_count || ' is tallied '
          || coalesce(tally.members, 0)
          || ' times, held by ' || coalesce(held.members, 0) as example
        from referral_tally tally
        full join (
          select referral_count, count(*) as members from standing where referral_count > 0
          group by referral_count
        ) held using (referral_count)
        where tally.members is distinct from held.members`;

const fadedPlaces = (perFriend: RawBuilder<unknown>) => sql`(
    100 * least(referral_count, 5) + 50 * greatest(least(referral_count, 10) - 5, 0)
    + 25 * greatest(least(referral_count, 25) - 10, 0)
    + 10 * greatest(least(referral_count, 100) - 25, 0) + greatest(referral_count - 100, 0)
  )::bigint * ${perFriend} / 100`;

const wrongKeys = ({ rule, perJoin, perCredit, perInvite }: KeyFormula) => {
  const perPlace = perJoin - 1;
  const credits =
    rule === 'fade'
      ? sql`${fadedPlaces(sql`${perCredit / perPlace}::bigint`)} * ${perPlace}::bigint`
      : sql`referral_count * ${perCredit}::bigint`;
  const key = sql`sequence * ${perJoin}::bigint - ${credits}
    - case when is_invited then ${perInvite}::bigint else 0 end
    - point_adjustment * ${perCredit / 2}::bigint`;
  return sql`select id || ' has ' || sort_key || ', the rule gives ' || (${key}) as example
        from member join standing on standing.member_id = member.id where sort_key <> ${key}`;
};

/** Members whose position by the counts is not that of the rule in plain words. */
const wrongPositions = (rule: LineRule) =>
  sql`with start as materialized (
          select occupied.bucket, own.position
          from line_state line, lateral (
            select distinct sort_key >> line.bucket_shifts[1] as bucket from standing
          ) occupied
          cross join lateral position_of(occupied.bucket << line.bucket_shifts[1]) own
        ), ordered as materialized (
          select id, sort_key, bucket, row_number() over (order by ${plainOrder(rule)}) as position,
            row_number() over (partition by bucket order by sort_key) - 1 as ahead_in_bucket
          from member
          join standing on standing.member_id = member.id
          cross join line_state line
          cross join lateral (select sort_key >> line.bucket_shifts[1] as bucket) narrowest
        )
        select ordered.id || ' is told ' || shown.position || ', is ' || ordered.position as example
        from ordered
        join start using (bucket)
        cross join lateral (
          select case when ordered.position % ${LOOKED_UP_EVERY} = 0
            then (select own.position from position_of(ordered.sort_key) own)
            else start.position + ordered.ahead_in_bucket end as position
        ) shown
        where shown.position <> ordered.position`;

const WRONG_BUCKETS = sql`select 'bucket 2^' || shift || ' wide from key '
          || coalesce(
            ((node & (1::bigint << 44) - 1) << wider) + (slot::bigint << shift) - 4503599627370496,
            node)
          || ' counts ' || coalesce(counted.members, 0)
          || ', holds ' || coalesce(held.members, 0) as example
        from (
          select shift, wider, node, slot,
            members_before(sums, slot + 1) - members_before(sums, slot) as members
          from count_node
          join line_state line on true
          left join unnest(line.bucket_shifts, line.bucket_shifts[2:]) as level (shift, wider)
            using (shift)
          cross join lateral generate_series(0, cardinality(sums) - 1) slot
          where members_before(sums, slot + 1) <> members_before(sums, slot)
        ) counted
        full join (
          select level.shift, level.wider,
            node_of(bucket.first_key, level.shift, level.wider) as node,
            slot_of(bucket.first_key, level.shift, 1 << level.wider - level.shift) as slot,
            sum(bucket.members)::bigint as members
          from line_state line,
            unnest(line.bucket_shifts, line.bucket_shifts[2:]) as level (shift, wider),
            lateral (
              select (sort_key >> line.bucket_shifts[1]) << line.bucket_shifts[1] as first_key,
                count(*) as members
              from standing group by 1
            ) bucket
          where level.wider is not null
          group by 1, 2, 3, 4
        ) held using (shift, wider, node, slot)
        where counted.members is distinct from held.members`;

export async function readTotals(transaction: Transaction<Tables>) {
  const { rows } = await sql<{
    total: number;
    members: number;
    next_sequence: number;
    last_sequence: number;
  }>`
    select line.total, line.next_sequence, held.members, held.last_sequence
    from line_state line, (
      select count(*) as members, coalesce(max(sequence), 0) as last_sequence from member
    ) held
  `.execute(transaction);
  return rows[0] ?? { total: 0, members: 0, next_sequence: 0, last_sequence: 0 };
}

function plainOrder(rule: LineRule): RawBuilder<unknown> {
  if (rule.name === 'points')
    return sql`2 * referral_count + is_invited::integer + point_adjustment desc, sequence`;
  if (rule.name === 'fade') {
    const perFriend = sql`${rule.placesPerFriend ?? PLACES_PER_FRIEND}::integer`;
    return sql`sequence - ${fadedPlaces(perFriend)} - ${perFriend} * is_invited::integer
      - ${perFriend} / 2 * point_adjustment, sequence`;
  }
  return sql`sequence - ${POSITIONS_PER_FRIEND}::integer * (referral_count + is_invited::integer)
        - ${POSITIONS_PER_FRIEND / 2}::integer * point_adjustment, sequence`;
}

export async function findDiffering(
  transaction: Transaction<Tables>,
  rule: LineRule,
): Promise<Map<string, Differing>> {
  const parts = {
    Members: WRONG_MEMBERS,
    'Referral counts': WRONG_COUNTS,
    Credits: WRONG_STATES,
    Tallies: WRONG_TALLIES,
    'Sort keys': wrongKeys(keyFormula(rule)),
    'Bucket counts': WRONG_BUCKETS,
    Positions: wrongPositions(rule),
  };
  const differing = new Map<string, Differing>();
  for (const [name, rows] of Object.entries(parts)) {
    // Without statistics, a look-up of a position could be planned as a scan of the whole line.
    if (name === 'Positions') await sql`set local enable_seqscan = off`.execute(transaction);
    const result = await sql<Differing>`
      select count(*) as count, min(example) as example from (${rows}) differing
    `.execute(transaction);
    differing.set(name, result.rows[0] ?? { count: 0, example: null });
  }
  return differing;
}
