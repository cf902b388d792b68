/**
 * The one way to change the state of credits once a friend has joined, for operators and for the
 * sweep. Only given credits count.
 */
import type { Brand } from '../../../brand/brand-shape.ts';
import type { Transaction } from '../../db/transaction.ts';
import { readPositionsAt } from '../changes/change-store.ts';
import { countMoves } from '../changes/move-rules.ts';
import { tierProgress } from '../referrals/tier-rules.ts';
import {
  type CountChange,
  type CreditGroup,
  type CreditState,
  type DecidedCredit,
  type FoundDoubt,
  findFriendIds,
  readCountChanges,
  readCreditOf,
  readDecidable,
  restoreDecision,
  type Wanted,
  type WrittenDecision,
  writeDecision,
} from './credit-store.ts';

export type { CreditGroup, CreditState, FoundDoubt };

/** A decision about the credits for these friends. */
export type Decision = Wanted & {
  /** What a sweep found. */
  readonly found?: readonly FoundDoubt[];
};

/** What was decided, with all that its undo needs, as JSON. */
export type Decided = WrittenDecision;

export type DecisionEffects = {
  readonly decided: readonly DecidedCredit[];
  /** Members with another position. */
  readonly moved: number;
  /** How many referrers lose the tier that they have, and how many reach one, by its level. */
  readonly lostTiers: ReadonlyMap<number, number>;
  readonly reachedTiers: ReadonlyMap<number, number>;
};

/**
 * Friends of a group, with their credits in one of the states. A pending credit that will be held
 * counts as held, too.
 */
export async function findFriends(
  transaction: Transaction,
  group: CreditGroup,
  wanted: { readonly states: readonly CreditState[]; readonly limit: number },
): Promise<string[]> {
  return await findFriendIds(transaction, group, wanted);
}

/** Why a decision about one friend changes nothing: a sentence. */
export async function explainNoChange(transaction: Transaction, friendId: string): Promise<string> {
  const known = await readCreditOf(transaction, friendId);
  if (known === null || known.credit === 'none')
    return 'There is no credit for this friend: they have left, or their referrer has.';
  const { credit, decided_by: decider } = known;
  return decider === 'operator'
    ? `An operator has decided already: the credit for this friend is ${credit}.`
    : `The credit for this friend is ${credit} already.`;
}

/** What a decision would change. Reads only, and keeps nobody waiting. */
export async function previewDecision(
  transaction: Transaction,
  decision: Decision,
  { tiers }: Pick<Brand, 'tiers'>,
): Promise<DecisionEffects> {
  const decided = await readDecidable(transaction, decision);
  const changes = await readCountChanges(transaction, countByReferrer(decided));
  const keys = changes.flatMap(({ from, to }) => [from, to]);
  const line = await readPositionsAt(transaction, [...new Set(keys)]);
  return {
    decided,
    moved: countMoves(changes, line),
    lostTiers: countTiers(changes, ({ before, after }) => (after < before ? before : null)),
    reachedTiers: countTiers(changes, ({ before, after }) => (after > before ? after : null)),
  };

  function countTiers(
    of: readonly CountChange[],
    levelOf: (levels: { before: number; after: number }) => number | null,
  ): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { referrals, by } of of) {
      const before = tierProgress(tiers, referrals).level;
      const level = levelOf({ before, after: tierProgress(tiers, referrals + by).level });
      if (level !== null) counts.set(level, (counts.get(level) ?? 0) + 1);
    }
    return counts;
  }
}

/**
 * Decides about credits, but for those that an operator decided before, unless an operator asks
 * for them too. Where friends must confirm first, a credit that is not refused is pending until
 * they do. The caller holds the line lock.
 */
export async function decideCredits(
  transaction: Transaction,
  { found = [], ...wanted }: Decision,
): Promise<Decided> {
  return await writeDecision(transaction, wanted, found);
}

/** Undoes a decision where nobody decided since. Returns how many credits are as they were. */
export async function undoDecision(transaction: Transaction, decided: Decided): Promise<number> {
  return await restoreDecision(transaction, decided);
}

/** By how many friends the counts of referrers change; those whose count stays are left out. */
function countByReferrer(decided: readonly DecidedCredit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { referrer_id: id, before, after } of decided) {
    const by = Number(after === 'given') - Number(before === 'given');
    if (by !== 0) counts.set(id, (counts.get(id) ?? 0) + by);
  }
  return counts;
}
