/** SQL of the answers of members, and of rewards that are codes of the shop. */
import { sql } from 'kysely';
import type { RewardAddress } from '../../contract/reward-address.ts';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { StateCount } from './reward-rules.ts';

type OfTier = { readonly memberId: string; readonly level: number };

export async function countFreeCodes(
  { kysely }: Pick<Database, 'kysely'>,
  tier: number,
): Promise<number> {
  const { rows } = await sql<{ free: number }>`
    select count(*)::integer as free from shop_code
    where tier_level = ${tier}::integer and taken_by is null
  `.execute(kysely);
  return rows[0]?.free ?? 0;
}

/** Locked until the transaction ends; null without a budget. */
export async function readLockedUnits(
  transaction: Transaction,
  tier: number,
): Promise<number | null> {
  const row = await transaction
    .selectFrom('reward_budget')
    .select('units')
    .where('tier_level', '=', tier)
    .forUpdate()
    .executeTakeFirst();
  return row?.units ?? null;
}

export async function countOnTheirWay(
  { kysely }: Pick<Database, 'kysely'>,
  tier: number,
): Promise<number> {
  const { rows } = await sql<{ rewards: number }>`
    select count(*)::integer as rewards from reward where tier_level = ${tier}::integer
  `.execute(kysely);
  return rows[0]?.rewards ?? 0;
}

/**
 * Marks owed rewards as sent, each with a code. Returns their members, without those for whom no
 * code is left or whom another operator served first.
 */
export async function insertWithCodes(
  transaction: Transaction,
  tier: number,
  memberIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ member_id: string }>`
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
  `.execute(transaction);
  return rows.map(({ member_id }) => member_id);
}

export async function readCodes(
  { kysely }: Pick<Database, 'kysely'>,
  rewards: readonly OfTier[],
): Promise<(OfTier & { readonly code: string })[]> {
  const { rows } = await sql<OfTier & { readonly code: string }>`
    select reward.member_id as "memberId", reward.tier_level as level, reward.code
    from unnest(
      ${rewards.map(({ memberId }) => memberId)}::uuid[],
      ${rewards.map(({ level }) => level)}::integer[]) wanted (member_id, tier_level)
    join reward using (member_id, tier_level)
    where reward.code is not null
  `.execute(kysely);
  return rows;
}

/** Null: the member was not asked. */
export async function readState(
  { kysely }: Database,
  { memberId, tier }: { memberId: string; tier: number },
): Promise<StateCount['state'] | null> {
  const row = await kysely
    .selectFrom('reward')
    .select('state')
    .where('member_id', '=', memberId)
    .where('tier_level', '=', tier)
    .executeTakeFirst();
  return row?.state ?? null;
}

/** False unless the member was asked, and nothing was sent yet. */
export async function writeAddress(
  { kysely }: Database,
  { memberId, tier, address }: { memberId: string; tier: number; address: RewardAddress },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('reward')
    .set({ state: 'answered', details: JSON.stringify(address) })
    .where('member_id', '=', memberId)
    .where('tier_level', '=', tier)
    .where('state', '<>', 'sent')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes addresses of rewards that were sent, once the undo of that has ended. */
export async function deleteOldDetails({ kysely }: Database): Promise<void> {
  await sql`
    update reward set details = null
    where state = 'sent' and details is not null and sent_at < now() - interval '25 hours'
  `.execute(kysely);
}
