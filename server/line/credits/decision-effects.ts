import type { Brand } from '../../../brand/brand-shape.ts';
import type { Transaction } from '../../db/transaction.ts';
import { readPositionsAt } from '../changes/change-store.ts';
import { countMoves } from '../changes/move-rules.ts';
import { countTierChanges, type TierChanges } from '../referrals/tier-rules.ts';
import {
  type CountChange,
  type Decided,
  type DecidedCredit,
  type Decision,
  type Reader,
  readCountChanges,
  readCreditOf,
  readDecidable,
} from './credit-store.ts';

export type DecisionEffects = {
  readonly decided: readonly DecidedCredit[];
  readonly moved: number;
  readonly tiers: TierChanges;
};

export async function explainNoChange(reader: Reader, friendId: string): Promise<string> {
  const known = await readCreditOf(reader, friendId);
  if (known === null || known.credit === 'none')
    return 'There is no credit for this friend: they have left, or their referrer has.';
  const { credit, decided_by: decider } = known;
  return decider === 'operator'
    ? `An operator has decided already: the credit for this friend is ${credit}.`
    : `The credit for this friend is ${credit} already.`;
}

/** Positions looked up at a time: the embedded engine does nothing else meanwhile. */
const KEYS_AT_A_TIME = 500;

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
    tiers: countTierChanges(
      tiers,
      changes.map(({ referrals, by }) => ({ before: referrals, after: referrals + by })),
    ),
  };
}

async function countMovedBy(reader: Reader, changes: readonly CountChange[]): Promise<number> {
  const moves = changes.map(({ sortKey, changedKey }) => ({ from: sortKey, to: changedKey }));
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

/** Call it after the decision, in its transaction. */
export async function readTierChanges(
  transaction: Transaction,
  { decided }: Decided,
  { tiers }: Pick<Brand, 'tiers'>,
): Promise<TierChanges> {
  const changes = await readCountChanges(transaction, countByReferrer(decided));
  return countTierChanges(
    tiers,
    changes.map(({ referrals, by }) => ({ before: referrals - by, after: referrals })),
  );
}

function countByReferrer(decided: readonly DecidedCredit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { referrer_id: id, before, after } of decided) {
    const by = Number(after === 'given') - Number(before === 'given');
    if (by !== 0) counts.set(id, (counts.get(id) ?? 0) + by);
  }
  return counts;
}
