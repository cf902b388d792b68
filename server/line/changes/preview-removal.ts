import type { Brand } from '../../../brand/brand-shape.ts';
import type { Transaction } from '../../db/transaction.ts';
import { readCountChanges } from '../credits/credit-store.ts';
import { countTierChanges } from '../referrals/tier-rules.ts';
import { countFriendsOf, countLosses, readChanging, readPositionsAt } from './change-store.ts';
import { countMoves } from './move-rules.ts';

export type RemovalEffects = Awaited<ReturnType<typeof previewRemoval>>;

export async function previewRemoval(
  transaction: Transaction,
  ids: readonly string[],
  { tiers }: Pick<Brand, 'tiers'>,
) {
  const leaving = await readChanging(transaction, ids);
  const losses = await readCountChanges(transaction, await countLosses(transaction, ids));
  const changes = [
    ...leaving.map(({ sort_key: from }) => ({ from, to: null })),
    ...losses.map(({ sortKey: from, changedKey: to }) => ({ from, to })),
  ];
  const keys = changes.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  const line = await readPositionsAt(transaction, keys);
  const [first] = leaving;
  return {
    leaving,
    firstPosition: first === undefined ? null : (line.positionAt.get(first.sort_key) ?? null),
    moved: countMoves(changes, line),
    lostCredits: losses.reduce((sum, { by }) => sum - by, 0),
    tiers: countTierChanges(
      tiers,
      losses.map(({ referrals, by }) => ({ before: referrals, after: referrals + by })),
    ),
    friends: await countFriendsOf(transaction, ids),
  };
}
