import type { RewardAddress } from '../../contract/reward-address.ts';
import type { Database, Reader } from '../db/database.ts';
import { column, first, only, run, some } from '../db/rows.ts';
import type { Transaction } from '../db/transaction.ts';
import type { StateCount } from './reward-rules.ts';

export type OfTier = { readonly memberId: string; readonly level: number };

/** Free codes of a tier, and the units that its budget leaves, or null without a budget. */
export type CodeLimits = { readonly codes: number; readonly units: number | null };

/** Locks the budget, so that two operators give the codes of a tier one after the other. */
export async function readCodeLimits(transaction: Transaction, tier: number): Promise<CodeLimits> {
  const budget = await first<{ units: number }>(transaction)`
    select units from reward_budget where tier_level = ${tier} for update
  `;
  const { codes, rewards } = await only<{ codes: number; rewards: number }>(transaction)`
    select
      (select count(*) from shop_code
       where tier_level = ${tier}::integer and taken_by is null)::integer as codes,
      (select count(*) from reward where tier_level = ${tier}::integer)::integer as rewards
  `;
  return { codes, units: budget === null ? null : Math.max(0, budget.units - rewards) };
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

export async function readState(
  { kysely }: Database,
  { memberId, tier }: { memberId: string; tier: number },
) {
  const row = await first<Pick<StateCount, 'state'>>(kysely)`
    select state from reward where member_id = ${memberId} and tier_level = ${tier}
  `;
  return row?.state ?? null;
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
