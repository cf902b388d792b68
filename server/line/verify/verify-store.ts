/** Spelled out anew on purpose: shared code would share the faults of the line. */
import { sql } from 'kysely';
import { only, run } from '../../db/rows.ts';
import type { Snapshot } from '../../db/snapshot.ts';

export type Differing = { readonly count: number; readonly example: string | null };

const LOOKED_UP_EVERY = 100;

const WRONG_MEMBERS = sql`select coalesce(member.id, standing.member_id) || case
            when member.id is null then ' has a standing and is no member'
            else ' has no standing' end as example
        from member full join standing on standing.member_id = member.id
        where member.id is null or standing.member_id is null
        union all
        select 'sequence ' || sequence || ' is given ' || count(*) || ' times'
        from member group by sequence having count(*) > 1`;

/** All who have confirmed count, and ten of those who have not. */
const WRONG_COUNTS = sql`select member_id || ' has ' || referral_count || ' with ' || unconfirmed
          || ' unconfirmed, credited are ' || coalesce(given.confirmed, 0) || ' and '
          || coalesce(given.others, 0) as example
        from standing
        left join (
          select referrer_id, count(*) filter (where confirmed_at is not null) as confirmed,
            count(*) filter (where confirmed_at is null) as others
          from member where credit = 'given' group by referrer_id
        ) given on given.referrer_id = member_id
        where referral_count <> coalesce(given.confirmed + least(given.others, 10), 0)
          or unconfirmed <> coalesce(given.others, 0)`;

const WRONG_STATES = sql`
        select member.id || ' is ' || credit || ', and nobody decided so' as example
        from member left join credit_case known on known.member_id = member.id
        where credit in ('held', 'refused') and known.member_id is null`;

const WRONG_TALLIES = sql`select 'count ' || referral_count || ' is tallied '
          || coalesce(tally.members, 0)
          || ' times, held by ' || coalesce(held.members, 0) as example
        from referral_tally tally
        full join (
          select referral_count, count(*) as members from standing where referral_count > 0
          group by referral_count
        ) held using (referral_count)
        where tally.members is distinct from held.members`;

/** 2^32 a point, and one a join. */
const PLAIN_KEY = sql`
  sequence - (2 * referral_count + is_invited::integer + point_adjustment) * 4294967296`;

const WRONG_KEYS = sql`select id || ' has ' || sort_key || ', the rule gives ' || (${PLAIN_KEY})
          as example
        from member join standing on standing.member_id = member.id
        where sort_key <> ${PLAIN_KEY}`;

/** Members whose position by the counts is not that of the rule in plain words. */
const WRONG_POSITIONS = sql`with start as materialized (
          select occupied.bucket, own.position
          from (select distinct sort_key >> 6 as bucket from standing) occupied
          cross join lateral position_of(occupied.bucket << 6) own
        ), ordered as materialized (
          select id, sort_key, bucket,
            row_number() over (
              order by 2 * referral_count + is_invited::integer + point_adjustment desc, sequence
            ) as position,
            row_number() over (partition by bucket order by sort_key) - 1 as ahead_in_bucket
          from member
          join standing on standing.member_id = member.id
          cross join lateral (select sort_key >> 6 as bucket) narrowest
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

const LEVELS = sql`(
    values (6, 13), (13, 21), (21, 29), (29, 37), (37, 45), (45, 53)) as level (shift, wider)`;

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
          left join ${LEVELS} using (shift)
          cross join lateral generate_series(0, cardinality(sums) - 1) slot
          where members_before(sums, slot + 1) <> members_before(sums, slot)
        ) counted
        full join (
          select level.shift, level.wider,
            node_of(bucket.first_key, level.shift, level.wider) as node,
            slot_of(bucket.first_key, level.shift, 1 << level.wider - level.shift) as slot,
            sum(bucket.members)::bigint as members
          from ${LEVELS}, (
            select (sort_key >> 6) << 6 as first_key, count(*) as members from standing group by 1
          ) bucket
          group by 1, 2, 3, 4
        ) held using (shift, wider, node, slot)
        where counted.members is distinct from held.members`;

export function readTotals(reader: Snapshot) {
  return only<{
    total: number;
    members: number;
    next_sequence: number;
    last_sequence: number;
  }>(reader)`
    select line.total, line.next_sequence, held.members, held.last_sequence
    from line_state line, (
      select count(*) as members, coalesce(max(sequence), 0) as last_sequence from member
    ) held
  `;
}

export async function findDiffering(reader: Snapshot): Promise<Map<string, Differing>> {
  const parts = {
    Members: WRONG_MEMBERS,
    'Referral counts': WRONG_COUNTS,
    Credits: WRONG_STATES,
    Tallies: WRONG_TALLIES,
    'Sort keys': WRONG_KEYS,
    'Bucket counts': WRONG_BUCKETS,
    Positions: WRONG_POSITIONS,
  };
  const differing = new Map<string, Differing>();
  for (const [name, rows] of Object.entries(parts)) {
    // Without statistics, a look-up of a position could be planned as a scan of the whole line.
    if (name === 'Positions') await run(reader)`set local enable_seqscan = off`;
    differing.set(
      name,
      await only<Differing>(reader)`
        select count(*) as count, min(example) as example from (${rows}) differing`,
    );
  }
  return differing;
}
