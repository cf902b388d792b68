import type { Tier } from '../../brand/brand-shape.ts';
import type { RewardState } from '../../contract/rewards.ts';
import { countOf } from '../changes/count-words.ts';
import type { Database } from '../db/database.ts';
import { pageOf, readIdKey, unknownKey } from '../http/cursor-rules.ts';
import { levelOf } from '../line/referrals/tier-rules.ts';
import { readTotal } from '../line/store.ts';
import type { Platform } from '../module.ts';
import { conflict } from '../problem.ts';
import { exposureOf } from './reward-rules.ts';
import {
  countStates,
  type OwedKey,
  type RewardRow,
  readBudgets,
  readInState,
  readOwed,
  readTallies,
  type TierLevel,
} from './reward-store.ts';

export type RewardChanges = Pick<Platform, 'brand'> & {
  readonly mail: { readonly wake: () => void };
};

/** Counts in pieces between which joins run. */
export async function countRewards(database: Database, tiers: readonly Tier[]) {
  const levels = tiers.map((_, index) => levelOf(tiers, index + 1));
  const states = await countStates(database, levels);
  const budgets = await readBudgets(database.kysely);
  const [total, tallies] = [await readTotal(database), await readTallies(database)];
  return exposureOf(tiers, { total, tallies, states, budgets });
}

const OWED_KEY = /^(\d{1,9})\.(-?\d{1,16})$/;

export async function listRewards(
  database: Database,
  level: TierLevel,
  { state, after, limit }: { state: RewardState; after: string | undefined; limit: number },
): Promise<{ shown: RewardRow[]; next: string | null }> {
  const rows =
    state === 'owed'
      ? await readOwed(database, level, { after: readOwedKey(after), limit: limit + 1 })
      : await readInState(
          database,
          { tier: level.tier, state },
          { after: after === undefined ? null : readIdKey(after), limit: limit + 1 },
        );
  return pageOf(rows, limit, ({ id, referral_count: count, sort_key: key }) =>
    state === 'owed' ? `${count}.${key}` : id,
  );
}

function readOwedKey(text: string | undefined): OwedKey | null {
  if (text === undefined) return null;
  const [, count, key] = OWED_KEY.exec(text) ?? [];
  if (count === undefined || !Number.isSafeInteger(Number(key))) throw unknownKey();
  return [Number(count), Number(key)];
}

/** Maximum of one change: an undo record holds them, and joins wait for the transaction. */
export const MAX_REWARDS = 5_000;

export function rewardsOf(count: number, tier: number): string {
  return `${countOf(count, 'reward')} of tier ${tier}`;
}

export function assertFew(found: number, expected = MAX_REWARDS): void {
  if (found > MAX_REWARDS)
    throw conflict(
      `These are more than ${countOf(MAX_REWARDS, 'reward')}: name the members, in several steps.`,
    );
  if (found > expected)
    throw conflict(
      `${countOf(found, 'reward')} would change by now, and not ${expected}: ` +
        'look at the preview again.',
    );
}
