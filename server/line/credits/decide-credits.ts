/**
 * The one way to change the state of credits once a friend has joined, for operators and for the
 * sweep. Only given credits count.
 */
import type { Brand } from '../../../brand/brand-shape.ts';
import type { CreditState } from '../../../contract/member-states.ts';
import type { Transaction } from '../../db/transaction.ts';
import { readPositionsAt } from '../changes/change-store.ts';
import { countMoves } from '../changes/move-rules.ts';
import { tierProgress } from '../referrals/tier-rules.ts';
import {
  type CountChange,
  type CreditGroup,
  type DecidedCredit,
  type FoundSignals,
  findFriendIds,
  keepFriendIds,
  type Reader,
  readCountChanges,
  readCreditOf,
  readDecidable,
  restoreDecision,
  type Wanted,
  type WrittenDecision,
  writeDecision,
} from './credit-store.ts';

export type { CreditGroup, FoundSignals, Reader };

/** A decision about the credits for these friends. */
export type Decision = Wanted & {
  /** What a sweep found. */
  readonly found?: readonly FoundSignals[];
};

/** What was decided, with all that its undo needs, as JSON. */
export type Decided = WrittenDecision;

/** How many referrers lose the tier that they have, and how many reach one, by its level. */
export type TierChanges = {
  readonly lost: ReadonlyMap<number, number>;
  readonly reached: ReadonlyMap<number, number>;
};

export type DecisionEffects = {
  readonly decided: readonly DecidedCredit[];
  /** Members with another position. */
  readonly moved: number;
  readonly tiers: TierChanges;
};

/**
 * Friends of a group, with their credits in one of the states. A pending credit that will be held
 * counts as held, too.
 */
export async function findFriends(
  reader: Reader,
  group: CreditGroup,
  wanted: { readonly states: readonly CreditState[]; readonly limit: number },
): Promise<string[]> {
  return await findFriendIds(reader, group, wanted);
}

/** The friends among these whose credit is still in one of the states. */
export async function keepFriends(
  transaction: Transaction,
  friendIds: readonly string[],
  states: readonly CreditState[],
): Promise<string[]> {
  return await keepFriendIds(transaction, friendIds, states);
}

/** Why a decision about one friend changes nothing: a sentence. */
export async function explainNoChange(reader: Reader, friendId: string): Promise<string> {
  const known = await readCreditOf(reader, friendId);
  if (known === null || known.credit === 'none')
    return 'There is no credit for this friend: they have left, or their referrer has.';
  const { credit, decided_by: decider } = known;
  return decider === 'operator'
    ? `An operator has decided already: the credit for this friend is ${credit}.`
    : `The credit for this friend is ${credit} already.`;
}

/** Looked up at a time: the embedded engine does nothing else meanwhile. */
const KEYS_AT_A_TIME = 500;

/** What a decision would change. Reads only, and keeps nobody waiting for long. */
export async function previewDecision(
  reader: Reader,
  decision: Decision,
  { tiers }: Pick<Brand, 'tiers'>,
): Promise<DecisionEffects> {
  const decided = await readDecidable(reader, decision);
  const changes = await readCountChanges(reader, countByReferrer(decided));
  return {
    decided,
    moved: await countMovedBy(reader, changes),
    tiers: countTiers(
      tiers,
      changes.map(({ referrals, by }) => ({ before: referrals, after: referrals + by })),
    ),
  };
}

async function countMovedBy(reader: Reader, changes: readonly CountChange[]): Promise<number> {
  const moves = changes.map(({ sortKey, by, perCredit }) => ({
    from: sortKey,
    to: sortKey - by * perCredit,
  }));
  const keys = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const positionAt = new Map<number, number>();
  let total = 0;
  for (let from = 0; from < keys.length; from += KEYS_AT_A_TIME) {
    const line = await readPositionsAt(reader, keys.slice(from, from + KEYS_AT_A_TIME));
    total = line.total;
    for (const [key, position] of line.positionAt) positionAt.set(key, position);
  }
  return countMoves(moves, { total, positionAt });
}

function countTiers(
  tiers: Brand['tiers'],
  counts: readonly { readonly before: number; readonly after: number }[],
): TierChanges {
  const lost = new Map<number, number>();
  const reached = new Map<number, number>();
  for (const { before, after } of counts) {
    const [had, has] = [before, after].map((count) => tierProgress(tiers, count).level) as [
      number,
      number,
    ];
    if (has < had) lost.set(had, (lost.get(had) ?? 0) + 1);
    if (has > had) reached.set(has, (reached.get(has) ?? 0) + 1);
  }
  return { lost, reached };
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

/** The tiers that a decision has changed, after it, in its transaction. */
export async function readTierChanges(
  transaction: Transaction,
  { decided }: Decided,
  { tiers }: Pick<Brand, 'tiers'>,
): Promise<TierChanges> {
  const changes = await readCountChanges(transaction, countByReferrer(decided));
  return countTiers(
    tiers,
    changes.map(({ referrals, by }) => ({ before: referrals - by, after: referrals })),
  );
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
