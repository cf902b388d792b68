/** The rewards of tiers, as other rooms see them. */
import type { Tier } from '../../brand/brand-shape.ts';
import type { RewardAddress } from '../../contract/reward-address.ts';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import { Problem } from '../problem.ts';
import { deleteOldDetails, readState, writeAddress } from './answer-store.ts';
import { type Budget, exposureOf } from './reward-rules.ts';
import {
  countStates,
  type FoundReward,
  findRewards as findStored,
  insertAsked,
  insertOrMarkSent,
  type OwedKey,
  type RewardRow,
  readBudgets,
  readInState,
  readOwed,
  readTallies,
  type TierLevel,
  unmarkSent,
  writeBudget,
} from './reward-store.ts';

export type { FoundReward, RewardRow } from './reward-store.ts';

type RewardState = RewardRow['state'];

/** Throws Problem invalid_field. */
export function levelOf(tiers: readonly Tier[], tier: number): TierLevel & Tier {
  const found = tiers[tier - 1];
  if (found === undefined)
    throw new Problem('invalid_field', `There is no tier ${tier}: the last is ${tiers.length}.`);
  return { ...found, tier, required: found.requiredReferrals };
}

/** Every tier with its counts and costs. In pieces, so that joins get their turns. */
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
const MEMBER_KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A page of the rewards in a state. Throws Problem invalid_field. */
export async function listRewards(
  database: Database,
  level: TierLevel,
  { state, after, limit }: PageRequest,
): Promise<{ rows: RewardRow[]; next: string | null }> {
  const rows =
    state === 'owed'
      ? await readOwed(database, level, { after: readOwedKey(after), limit: limit + 1 })
      : await readInState(
          database,
          { tier: level.tier, state },
          { after: readMemberKey(after), limit: limit + 1 },
        );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  if (last === undefined) return { rows: shown, next: null };
  return {
    rows: shown,
    next: state === 'owed' ? `${last.referral_count}.${last.sort_key}` : last.id,
  };
}

function readOwedKey(text: string | undefined): OwedKey | null {
  if (text === undefined) return null;
  const [, count, key] = OWED_KEY.exec(text) ?? [];
  if (count === undefined || !Number.isSafeInteger(Number(key))) throw wrongKey();
  return [Number(count), Number(key)];
}

function readMemberKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!MEMBER_KEY.test(text)) throw wrongKey();
  return text;
}

function wrongKey(): Problem {
  return new Problem(
    'invalid_field',
    'The field "after" must be the "next" of a page of the same list.',
  );
}

/** At most `limit` rewards in these states, of these members or of all. */
export async function findRewards(
  transaction: Transaction,
  wanted: Parameters<typeof findStored>[1],
): Promise<FoundReward[]> {
  return await findStored(transaction, wanted);
}

/** Returns those that nobody changed meanwhile. */
export async function markSent(
  transaction: Transaction,
  tier: number,
  rewards: readonly FoundReward[],
): Promise<FoundReward[]> {
  return await insertOrMarkSent(transaction, tier, rewards);
}

/** Returns the members who are asked now; wants ids whose rewards are owed, or asked for before. */
export async function markAsked(
  transaction: Transaction,
  tier: number,
  memberIds: readonly string[],
): Promise<string[]> {
  return await insertAsked(transaction, tier, memberIds);
}

type OfMember = { readonly memberId: string; readonly tier: number };

/** Null: the member was not asked. */
export async function getAskedState(
  database: Database,
  reward: OfMember,
): Promise<Exclude<RewardState, 'owed'> | null> {
  return await readState(database, reward);
}

/** The first answer, or another one until the reward is sent. Throws Problem conflict. */
export async function keepAddress(
  database: Database,
  wanted: OfMember & { readonly address: RewardAddress },
): Promise<void> {
  if (!(await writeAddress(database, wanted)))
    throw new Problem('conflict', 'This reward is on its way already.');
}

/** Where rewards were sent, once the undo of that has ended. */
export async function deleteOldAddresses(database: Database): Promise<void> {
  await deleteOldDetails(database);
}

/** The undo of `markSent`; returns how many are as before. */
export async function takeBackSent(
  transaction: Transaction,
  tier: number,
  rewards: readonly FoundReward[],
): Promise<number> {
  return await unmarkSent(transaction, tier, rewards);
}

/** Returns the budget before; null without one. With null, deletes it. */
export async function setBudget(
  transaction: Transaction,
  tier: number,
  budget: Omit<Budget, 'tier'> | null,
): Promise<Omit<Budget, 'tier'> | null> {
  const before = (await readBudgets(transaction)).find((one) => one.tier === tier) ?? null;
  await writeBudget(transaction, tier, budget);
  return before && { units: before.units, centsPerUnit: before.centsPerUnit };
}
