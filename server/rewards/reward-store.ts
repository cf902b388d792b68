import { type RawBuilder, sql } from 'kysely';
import type { ListedReward } from '../../contract/operator/rewards/rewards.ts';
import type { RewardAddress } from '../../contract/reward-address.ts';
import type { RewardState } from '../../contract/rewards.ts';
import type { Database, Reader } from '../db/database.ts';
import { all, column, found, only, run, some, value } from '../db/rows.ts';
import type { Transaction } from '../db/transaction.ts';
import { readMemberId } from '../line/member-id-rules.ts';
import type { Budget, StateCount, Tally } from './reward-rules.ts';

export type TierLevel = { readonly tier: number; readonly required: number };

type OwedLevel = TierLevel & {
  /** Counts confirmed friends alone. */
  readonly isSettled: boolean;
};

/** Joins on the embedded engine wait for each query. */
const COUNTED_AT_ONCE = 5_000;

export function readTallies({ kysely }: Database) {
  return all<Tally>(kysely)`
    select referral_count as "referralCount", members from referral_tally
  `;
}

export async function countStates(
  { kysely }: Database,
  levels: readonly TierLevel[],
): Promise<StateCount[]> {
  const counts = new Map<string, StateCount>();
  let after: readonly [string, number] = ['00000000-0000-0000-0000-000000000000', 0];
  for (;;) {
    const rows = await all<StateCount & { looked: number; last: string; last_tier: number }>(
      kysely,
    )`
      with slice as materialized (
        select member_id, tier_level, state from reward
        where (member_id, tier_level) > (${after[0]}::uuid, ${after[1]}::integer)
        order by member_id, tier_level limit ${COUNTED_AT_ONCE}::integer
      ), reach as (
        select count(*) as looked,
          (array_agg(member_id order by member_id desc, tier_level desc))[1] as last,
          (array_agg(tier_level order by member_id desc, tier_level desc))[1] as last_tier
        from slice
      )
      select reach.*, counted.* from reach left join (
        select slice.tier_level as tier, slice.state, count(*) as rewards,
          count(*) filter (where standing.referral_count >= level.required) as reaching
        from slice
        cross join lateral (
          select referral_count from standing where member_id = slice.member_id offset 0
        ) standing
        join unnest(
          ${levels.map(({ tier }) => tier)}::integer[],
          ${levels.map(({ required }) => required)}::integer[]
        ) level (tier, required) on level.tier = slice.tier_level
        group by 1, 2
      ) counted on true
    `;
    for (const { tier, state, rewards, reaching } of rows) {
      if (tier === null) continue;
      const key = `${tier} ${state}`;
      const sum = counts.get(key) ?? { tier, state, rewards: 0, reaching: 0 };
      counts.set(key, {
        ...sum,
        rewards: sum.rewards + rewards,
        reaching: sum.reaching + reaching,
      });
    }
    const [reach] = rows;
    if (reach === undefined || reach.looked < COUNTED_AT_ONCE) return [...counts.values()];
    after = [reach.last, reach.last_tier];
  }
}

export function readBudgets(kysely: Database['kysely']) {
  return all<Budget>(kysely)`
    select tier_level as tier, units, cents_per_unit as "centsPerUnit" from reward_budget
  `;
}

export async function writeBudget(
  transaction: Transaction,
  tier: number,
  budget: Omit<Budget, 'tier'> | null,
): Promise<void> {
  // Deleting the row first would hide it from an operator who waits for its lock.
  await (budget === null
    ? sql`delete from reward_budget where tier_level = ${tier}`
    : sql`
        insert into reward_budget (tier_level, units, cents_per_unit)
        values (${tier}, ${budget.units}, ${budget.centsPerUnit})
        on conflict (tier_level) do update
        set units = excluded.units, cents_per_unit = excluded.cents_per_unit`
  ).execute(transaction);
}

export type RewardRow = Omit<ListedReward, 'asked_at' | 'sent_at'> & {
  readonly sort_key: number;
  readonly details: RewardAddress | null;
  readonly code: string | null;
  readonly asked_at: Date | null;
  readonly sent_at: Date | null;
};

export type OwedKey = readonly [referralCount: number, sortKey: number];

export async function readOwed(
  { kysely }: Database,
  level: TierLevel,
  { after, limit }: { after: OwedKey | null; limit: number },
): Promise<RewardRow[]> {
  const behind =
    after === null
      ? sql`true`
      : sql`(-referral_count, sort_key) > (-${after[0]}::integer, ${after[1]}::bigint)`;
  return await all<RewardRow>(kysely)`
    select member.id, member.email, member.referral_code, owed.referral_count, owed.sort_key,
      'owed' as state, null as details, null as code, null as asked_at, null as sent_at
    from (${owedBy({ ...level, isSettled: false }, behind, limit)}) owed
    cross join lateral (select * from member where id = owed.member_id offset 0) member
    order by -owed.referral_count, owed.sort_key
  `;
}

export function readInState(
  { kysely }: Database,
  { tier, state }: { tier: number; state: StateCount['state'] },
  { after, limit }: { after: string | null; limit: number },
) {
  return all<RewardRow>(kysely)`
    select member.id, member.email, member.referral_code, standing.referral_count,
      standing.sort_key, found.state, found.details, found.code, found.asked_at, found.sent_at
    from (
      select * from reward
      where tier_level = ${tier}::integer and state = ${state}
        and member_id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by member_id limit ${limit}::integer
    ) found
    cross join lateral (select * from member where id = found.member_id offset 0) member
    cross join lateral (
      select * from standing where member_id = found.member_id offset 0
    ) standing
    order by found.member_id
  `;
}

export type WantedRewards = OwedLevel & {
  readonly states: readonly RewardState[];
  readonly memberIds: readonly string[] | undefined;
  readonly limit: number;
};

export type FoundReward = { readonly memberId: string; readonly state: RewardState };

export async function findRewards(
  transaction: Transaction,
  { states, memberIds, limit, ...level }: WantedRewards,
): Promise<FoundReward[]> {
  const ids = memberIds?.flatMap((id) => readMemberId(id) ?? []);
  const among = ids === undefined ? sql`true` : sql`member_id = any(${ids}::uuid[])`;
  const owed = sql`
    select member_id as "memberId", 'owed' as state
    from (${owedBy(level, among, limit)}) owed`;
  const stored = sql`
    select member_id as "memberId", state from reward
    where tier_level = ${level.tier}::integer and state = any(${[...states]}::text[])
      and ${among}`;
  return await all<FoundReward>(transaction)`
    select * from (
      ${states.includes('owed') ? sql`${owed} union all ${stored}` : stored}
    ) found limit ${limit}::integer
  `;
}

export function insertOrMarkSent(
  transaction: Transaction,
  tier: number,
  rewards: readonly FoundReward[],
) {
  return all<FoundReward>(transaction)`
    with wanted as (${rowsOf(rewards)}), added as (
      insert into reward (member_id, tier_level, state, sent_at)
      select wanted.member_id, ${tier}::integer, 'sent', clock_timestamp()
      from wanted
      where state = 'owed' and exists (
        select from member where id = wanted.member_id for key share)
      on conflict do nothing
      returning member_id
    ), changed as (
      update reward set state = 'sent', sent_at = clock_timestamp()
      from wanted
      where reward.member_id = wanted.member_id and reward.tier_level = ${tier}::integer
        and reward.state = wanted.state and wanted.state <> 'owed'
      returning reward.member_id
    )
    select member_id as "memberId", state from wanted
    where member_id in (select member_id from added union all select member_id from changed)
  `;
}

export function insertAsked(transaction: Transaction, tier: number, memberIds: readonly string[]) {
  return column<string>(transaction)`
    insert into reward (member_id, tier_level, state)
    select id, ${tier}::integer, 'asked' from member
    where id = any(${[...memberIds]}::uuid[]) for key share
    on conflict (member_id, tier_level) do update set asked_at = clock_timestamp()
    where reward.state = 'asked'
    returning member_id
  `;
}

export function unmarkSent(
  transaction: Transaction,
  tier: number,
  rewards: readonly FoundReward[],
) {
  return value<number>(transaction)`
    with wanted as (${rowsOf(rewards)}), deleted as (
      delete from reward using wanted
      where reward.member_id = wanted.member_id and reward.tier_level = ${tier}::integer
        and reward.state = 'sent' and wanted.state = 'owed'
      returning 1
    ), changed as (
      update reward set state = wanted.state, sent_at = null
      from wanted
      where reward.member_id = wanted.member_id and reward.tier_level = ${tier}::integer
        and reward.state = 'sent' and wanted.state <> 'owed'
      returning 1
    )
    select (select count(*) from deleted) + (select count(*) from changed) as count
  `;
}

const rowsOf = (rewards: readonly FoundReward[]) => sql`
  select * from unnest(
    ${rewards.map(({ memberId }) => memberId)}::uuid[],
    ${rewards.map(({ state }) => state)}::text[]) wanted (member_id, state)`;
export type OfTier = { readonly memberId: string; readonly level: number };

/** Free codes of a tier, and the units that its budget leaves, or null without a budget. */
export type CodeLimits = { readonly codes: number; readonly units: number | null };

/** Locks the budget, so that two operators give the codes of a tier one after the other. */
export async function readCodeLimits(transaction: Transaction, tier: number): Promise<CodeLimits> {
  const budget = await found<number>(transaction)`
    select units from reward_budget where tier_level = ${tier} for update
  `;
  const { codes, rewards } = await only<{ codes: number; rewards: number }>(transaction)`
    select
      (select count(*) from shop_code
       where tier_level = ${tier}::integer and taken_by is null)::integer as codes,
      (select count(*) from reward where tier_level = ${tier}::integer)::integer as rewards
  `;
  return { codes, units: budget === null ? null : Math.max(0, budget - rewards) };
}

export function insertWithCodes(
  transaction: Transaction,
  tier: number,
  memberIds: readonly string[],
) {
  return column<string>(transaction)`
    with code as materialized (
      select code, row_number() over () as place from (
        select code from shop_code
        where tier_level = ${tier}::integer and taken_by is null
        order by imported_at, code limit ${memberIds.length}::integer for update skip locked
      ) free
    ), given as (
      select member.id as member_id, code.code
      from unnest(${[...memberIds]}::uuid[]) with ordinality wanted (id, place)
      join code on code.place = wanted.place
      cross join lateral (
        select id from member where member.id = wanted.id for key share
      ) member
    ), added as (
      insert into reward (member_id, tier_level, state, code, sent_at)
      select member_id, ${tier}::integer, 'sent', code, clock_timestamp() from given
      order by member_id
      on conflict do nothing
      returning member_id, code
    ), taken as (
      update shop_code set taken_by = added.member_id from added
      where shop_code.code = added.code
      returning taken_by
    )
    select taken_by as member_id from taken
  `;
}

export function readCodes({ kysely }: Reader, rewards: readonly OfTier[]) {
  return column<string | null>(kysely)`
    select reward.code
    from unnest(
      ${rewards.map(({ memberId }) => memberId)}::uuid[],
      ${rewards.map(({ level }) => level)}::integer[]
    ) with ordinality wanted (member_id, tier_level, place)
    left join reward using (member_id, tier_level)
    order by place
  `;
}

export function readState(
  { kysely }: Database,
  { memberId, tier }: { memberId: string; tier: number },
) {
  return found<StateCount['state']>(kysely)`
    select state from reward where member_id = ${memberId} and tier_level = ${tier}
  `;
}

export function writeAddress(
  { kysely }: Database,
  { memberId, tier, address }: { memberId: string; tier: number; address: RewardAddress },
) {
  return some(kysely)`
    update reward set state = 'answered', details = ${JSON.stringify(address)}
    where member_id = ${memberId} and tier_level = ${tier} and state <> 'sent'
    returning member_id
  `;
}

/** Deletes addresses of sent rewards once the undo has ended. */
export function deleteOldDetails({ kysely }: Database) {
  return run(kysely)`
    update reward set details = null
    where state = 'sent' and details is not null and sent_at < now() - interval '25 hours'
  `;
}

/** `offset 0` forces the planner to look up each reward by its key. */
function owedBy(
  { tier, required, isSettled }: OwedLevel,
  condition: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const settled = sql`
    referral_count - counting_friends(0, unconfirmed) >= ${required}::integer`;
  return sql`
    select member_id, referral_count, sort_key from standing
    where -referral_count <= -${required}::integer and ${condition}
      and not exists (
        select from reward one
        where one.member_id = standing.member_id and one.tier_level = ${tier}::integer offset 0
      )
      and ${isSettled ? settled : sql`true`}
    order by -referral_count, sort_key limit ${limit}::integer`;
}
