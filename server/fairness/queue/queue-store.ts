import { type RawBuilder, sql } from 'kysely';
import type {
  CreditGroup,
  HeldCredits,
  RuleCount,
  WaitingCredits,
} from '../../../contract/operator/credits/credits.ts';
import type { Database } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import type { Candidates } from '../../members/list/list-store.ts';
import { creditCounts } from '../../members/list/sheet-store.ts';

export type QueueKey = { readonly held: number; readonly referrerId: string };

export type QueueQuestion = {
  readonly rule: string | null;
  readonly isSecondLook: boolean;
  readonly isOnHold: boolean;
  readonly after: QueueKey | null;
  readonly limit: number;
};

const knownOf = (friendId: RawBuilder<unknown>) =>
  sql`(select * from credit_case where member_id = ${friendId} offset 0) known`;

const friendId = sql`friend.id`;

const isHeldCode = (referrerId: RawBuilder<unknown>) => sql`exists (
  select from code_hold where member_id = ${referrerId})`;

const isUnanswered = (referrerId: RawBuilder<unknown>) => sql`exists (
  select from second_look where member_id = ${referrerId} and answered_at is null)`;

/** A code on hold is never out of sight, whatever was decided about its friends. */
const andQuietHolds = sql`
  union all
  select member_id, 0 from code_hold
  where not exists (
    select from member where referrer_id = code_hold.member_id and credit = 'held'
  )`;

export async function readQueue(
  { kysely }: Database,
  { rule, isSecondLook, isOnHold, after, limit }: QueueQuestion,
): Promise<QueueKey[]> {
  const ofRule = sql`cross join lateral ${knownOf(friendId)}`;
  const { rows } = await sql<QueueKey>`
    select referrer_id as "referrerId", held
    from (
      select referrer_id, count(*)::integer as held
      from member friend ${rule === null ? sql`` : ofRule}
      where credit = 'held' ${rule === null ? sql`` : sql`and ${rule}::text = any(known.rules)`}
      group by referrer_id
      ${rule === null ? andQuietHolds : sql``}
    ) waiting
    where ${isSecondLook ? isUnanswered(sql`referrer_id`) : sql`true`}
      and ${isOnHold ? isHeldCode(sql`referrer_id`) : sql`true`}
      and ${
        after === null
          ? sql`true`
          : sql`(-held, referrer_id) > (${-after.held}::integer, ${after.referrerId}::uuid)`
      }
    order by held desc, referrer_id limit ${limit}::integer
  `.execute(kysely);
  return rows;
}

type GroupRow = Omit<CreditGroup, 'referrer' | 'held'> & { readonly id: string };

export async function readGroups(
  { kysely }: Database,
  ids: readonly string[],
): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select wanted.id, row_to_json(friends) as friends, waiting.score, found.rules,
      ${isoTime(sql`coalesce(waiting.since, hold.since, now())`)} as since,
      hold.since is not null as is_on_hold,
      (select ${isoTime(sql`asked_at`)} from second_look
        where member_id = wanted.id and answered_at is null) as second_look_at
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select ${creditCounts} from member where referrer_id = wanted.id
    ) friends
    cross join lateral (
      select min(${SINCE}) as since, coalesce(max(known.score), 0) as score
      from ${heldOf(sql`wanted.id`)}
      left join lateral ${knownOf(friendId)} on true
    ) waiting
    left join lateral (select since from code_hold where member_id = wanted.id) hold on true
    cross join lateral (
      select coalesce(json_agg(counted), '[]') as rules
      from (${countRules(heldOf(sql`wanted.id`))}) counted
    ) found
  `.execute(kysely);
  return rows;
}

const SINCE = sql`coalesce(known.decided_at, known.created_at, friend.joined_at)`;

function heldOf(referrerId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select * from member where referrer_id = ${referrerId} and credit = 'held' offset 0) friend`;
}

function countRules(friends: RawBuilder<unknown>): RawBuilder<RuleCount> {
  return sql`
    select rule, count(*)::integer as credits
    from ${friends} cross join lateral ${knownOf(friendId)} cross join unnest(known.rules) as rule
    group by rule order by credits desc, rule`;
}

export async function readRules({ kysely }: Database): Promise<RuleCount[]> {
  const held = sql`(select id from member where credit = 'held' offset 0) friend`;
  const { rows } = await countRules(held).execute(kysely);
  return rows;
}

export async function countWaiting({ kysely }: Database) {
  const { rows } = await sql<WaitingCredits>`
    select coalesce(sum(held), 0)::integer as credits, count(*) as codes,
      (select count(*) from code_hold) as codes_on_hold,
      count(*) filter (where ${isUnanswered(sql`referrer_id`)}) as second_looks
    from (
      select referrer_id, count(*) as held from member where credit = 'held' group by referrer_id
    ) waiting
  `.execute(kysely);
  return rows[0] as WaitingCredits;
}

export function heldFriendsOf(
  referrerId: string,
  { afterSequence, limit }: { afterSequence: number; limit: number },
): Candidates {
  return sql`
    select id from member
    where referrer_id = ${referrerId}::uuid and credit = 'held'
      and sequence > ${afterSequence}::bigint
    order by sequence limit ${limit}::integer`;
}

type HeldCredit = HeldCredits['credits'][number];
type HeldRow = Pick<HeldCredit, 'id' | 'score' | 'since' | 'held_by' | 'network'>;

export async function readHeld({ kysely }: Database, ids: readonly string[]): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select friend.id, coalesce(known.score, 0) as score, ${isoTime(SINCE)} as since,
      case when known.decided_by = 'operator' then 'operator' else 'join' end as held_by,
      case
        when trace.narrow is null then 'gone'
        when exists (
          select from trusted_network
          where key_id = trace.key_id and narrow = trace.narrow
        ) then 'trusted'
        else 'known'
      end as network
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (select * from member where id = wanted.id offset 0) friend
    left join lateral ${knownOf(friendId)} on true
    left join lateral (
      select key_id, narrow from join_trace
      where member_id = wanted.id and narrow <> 0 offset 0
    ) trace on true
  `.execute(kysely);
  return rows;
}
