/** The rewards of tiers: levels, pages, costs and budgets. */
import type { Tier } from '../../brand/brand-shape.ts';
import { REWARD_KINDS } from '../../contract/rewards.ts';
import { countOf } from '../changes/count-words.ts';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import { pageOf, readIdKey, unknownKey } from '../http/cursor-rules.ts';
import { Problem } from '../problem.ts';
import { readCodes } from './answer-store.ts';
import { type Budget, exposureOf } from './reward-rules.ts';
import {
  countStates,
  type OwedKey,
  type RewardRow,
  readBudgets,
  readInState,
  readOwed,
  readTallies,
  type TierLevel,
  writeBudget,
} from './reward-store.ts';

type RewardState = RewardRow['state'];

/** Throws Problem invalid_field. */
export function levelOf(tiers: readonly Tier[], tier: number) {
  const found = tiers[tier - 1];
  if (found === undefined)
    throw new Problem('invalid_field', `There is no tier ${tier}: the last is ${tiers.length}.`);
  return { ...found, ...REWARD_KINDS[found.kind], tier, required: found.requiredReferrals };
}

/** Throws Problem conflict for a tier whose reward is no code of the shop. */
export function assertCodes({ tier, hasCodes }: Pick<Level, 'tier' | 'hasCodes'>): void {
  if (!hasCodes)
    throw new Problem(
      'conflict',
      `The reward of tier ${tier} is plain in brand.ts: it has no codes.`,
    );
}

export type Level = ReturnType<typeof levelOf>;

/** Every tier with its counts and costs, counted in pieces between which joins run. */
export async function countRewards(database: Database, tiers: readonly Tier[]) {
  const levels = tiers.map((_, index) => levelOf(tiers, index + 1));
  const states = await countStates(database, levels);
  const budgets = await readBudgets(database.kysely);
  return exposureOf(tiers, { ...(await readTallies(database)), states, budgets });
}

type PageRequest = {
  readonly state: RewardState;
  readonly after: string | undefined;
  readonly limit: number;
};

const OWED_KEY = /^(\d{1,9})\.(-?\d{1,16})$/;

/** A page of the rewards in a state. Throws Problem invalid_field. */
export async function listRewards(
  database: Database,
  level: TierLevel,
  { state, after, limit }: PageRequest,
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

/** Deletes the budget when it is null. Returns the one before, or null. */
export async function setBudget(
  transaction: Transaction,
  tier: number,
  budget: Omit<Budget, 'tier'> | null,
): Promise<Omit<Budget, 'tier'> | null> {
  const before = (await readBudgets(transaction)).find((one) => one.tier === tier) ?? null;
  await writeBudget(transaction, tier, budget);
  return before && { units: before.units, centsPerUnit: before.centsPerUnit };
}

/** The most that one undo record holds, and one transaction beside joins. */
export const MAX_REWARDS = 5_000;

/** "3 rewards of tier 2". */
export function rewardsOf(count: number, tier: number): string {
  return `${countOf(count, 'reward')} of tier ${tier}`;
}

/** Throws Problem conflict. `expected` is from the preview. */
export function assertFew(found: number, expected = MAX_REWARDS): void {
  if (found > MAX_REWARDS)
    throw new Problem(
      'conflict',
      `These are more than ${countOf(MAX_REWARDS, 'reward')}: name the members, in several steps.`,
    );
  if (found > expected)
    throw new Problem(
      'conflict',
      `${countOf(found, 'reward')} would change by now, and not ${expected}: ` +
        'look at the preview again.',
    );
}

type OfTier = { readonly memberId: string; readonly level: number };

/** Codes of rewards that are shop codes. */
export async function getRewardCodes(
  database: Database,
  rewards: readonly OfTier[],
): Promise<Map<object, string>> {
  const keyOf = ({ memberId, level }: OfTier) => `${memberId} ${level}`;
  const rows = rewards.length === 0 ? [] : await readCodes(database, rewards);
  const codes = new Map(rows.map((row) => [keyOf(row), row.code]));
  return new Map(
    rewards.flatMap((reward) => {
      const code = codes.get(keyOf(reward));
      return code === undefined ? [] : [[reward as object, code] as const];
    }),
  );
}
