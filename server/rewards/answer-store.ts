/** What members answer about their rewards. */
import { sql } from 'kysely';
import type { RewardAddress } from '../../contract/reward-address.ts';
import type { Database } from '../db/database.ts';
import type { StateCount } from './reward-rules.ts';

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

/** Of rewards that were sent before the undo ended. */
export async function deleteOldDetails({ kysely }: Database): Promise<void> {
  await sql`
    update reward set details = null
    where state = 'sent' and details is not null and sent_at < now() - interval '25 hours'
  `.execute(kysely);
}
