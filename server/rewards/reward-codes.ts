/** Rewards that are codes of the shop: given, and mailed at once. */
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import {
  countFreeCodes,
  countOnTheirWay,
  insertWithCodes,
  readCodes,
  readLockedUnits,
} from './reward-code-store.ts';

export type CodeLimits = {
  /** Codes of the tier that nobody has. */
  readonly codes: number;
  /** What the budget leaves; null without one. */
  readonly units: number | null;
};

/**
 * How many codes of a tier can be given. Until the transaction ends, no other operator gives codes
 * of a tier that has a budget.
 */
export async function readCodeLimits(transaction: Transaction, tier: number): Promise<CodeLimits> {
  const units = await readLockedUnits(transaction, tier);
  const database = { kysely: transaction };
  const codes = await countFreeCodes(database, tier);
  if (units === null) return { codes, units };
  return { codes, units: Math.max(0, units - (await countOnTheirWay(database, tier))) };
}

/** Returns the members who have a code now: none of those whom another operator was first with. */
export async function giveCodes(
  transaction: Transaction,
  tier: number,
  memberIds: readonly string[],
): Promise<string[]> {
  return await insertWithCodes(transaction, tier, memberIds);
}

type OfTier = { readonly memberId: string; readonly level: number };

/** The codes of those of the rewards that have one. */
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
