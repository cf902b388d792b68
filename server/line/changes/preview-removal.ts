import type { Brand } from '../../../brand/brand-shape.ts';
import type { Transaction } from '../../db/transaction.ts';
import { countTierChanges } from '../referrals/tier-rules.ts';
import { countFriendsOf, readChanging, readLosses, readPositionsAt } from './change-store.ts';
import { countMoves } from './move-rules.ts';

export type RemovalEffects = {
  /** The members who are in line, first in line first. */
  readonly leaving: readonly { readonly id: string; readonly email: string }[];
  readonly firstPosition: number | null;
  /** Members who stay and get another position. */
  readonly moved: number;
  readonly lostCredits: number;
  /** Referrers who lose the tier that they have, by its level. */
  readonly lostTiers: ReadonlyMap<number, number>;
  readonly friends: number;
};

export async function previewRemoval(
  transaction: Transaction,
  ids: readonly string[],
  { tiers }: Pick<Brand, 'tiers'>,
): Promise<RemovalEffects> {
  const leaving = await readChanging(transaction, ids);
  const losses = await readLosses(transaction, ids);
  const changes = [
    ...leaving.map(({ sort_key: from }) => ({ from, to: null })),
    ...losses.map(({ sort_key: from, lost_key: to }) => ({ from, to })),
  ];
  const keys = changes.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  const line = await readPositionsAt(transaction, keys);
  const [first] = leaving;
  return {
    leaving,
    firstPosition: first === undefined ? null : (line.positionAt.get(first.sort_key) ?? null),
    moved: countMoves(changes, line),
    lostCredits: losses.reduce((sum, { lost }) => sum + lost, 0),
    lostTiers: countTierChanges(
      tiers,
      losses.map(({ referrals, lost }) => ({ before: referrals, after: referrals - lost })),
    ).lost,
    friends: await countFriendsOf(transaction, ids),
  };
}
