import type { Brand } from '../../../brand/brand-shape.ts';
import type { Transaction } from '../../db/transaction.ts';
import { tierProgress } from '../referrals/tier-rules.ts';
import {
  countFriendsOf,
  deleteMails,
  deleteRemovedUntil,
  type Removal,
  readChanging,
  readLosses,
  readPositionsAt,
  removeRows,
  restoreRows,
} from './change-store.ts';
import { countMoves } from './move-rules.ts';

export type RemovalEffects = {
  /** The members in line among those asked for, first in line first. */
  readonly leaving: readonly { readonly id: string; readonly email: string }[];
  /** The position of the first of them; null without one. */
  readonly firstPosition: number | null;
  /** Members who stay and get another position. */
  readonly moved: number;
  /** Credits that referrers who stay lose. */
  readonly lostCredits: number;
  /** How many of these referrers lose the tier that they have, by its level. */
  readonly lostTiers: ReadonlyMap<number, number>;
  /** Friends who stay, without a referrer. */
  readonly friends: number;
};

/** What a removal would change. Reads only, and keeps nobody waiting. */
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
    lostTiers: countLostTiers(tiers, losses),
    friends: await countFriendsOf(transaction, ids),
  };
}

/**
 * Deletes the mails of members who are about to leave. Call it before locking the line: others may
 * hold these rows for long, and two removals of the same members would deadlock. Mail that is
 * queued meanwhile is deleted with the members.
 */
export async function prepareRemoval(
  transaction: Transaction,
  ids: readonly string[],
): Promise<void> {
  await deleteMails(transaction, ids);
}

/**
 * Takes members out of the line, with their mails and the credits that they gave. Friends they
 * brought stay, without a referrer. `restoreMembers` brings them back until `kept.until`; with null
 * nothing is kept, and what earlier removals kept is deleted. Unknown ids are ignored.
 */
export async function removeMembers(
  transaction: Transaction,
  ids: readonly string[],
  kept: { readonly removalId: string; readonly until: Date } | null,
): Promise<Removal> {
  return await removeRows(transaction, ids, kept);
}

/**
 * Brings back the members of a removal with their ids, codes, positions, credits and friends,
 * except those whose address is in line again, who are counted as left out. Their mails stay
 * deleted.
 */
export async function restoreMembers(
  transaction: Transaction,
  removalId: string,
): Promise<{ readonly restored: number; readonly leftOut: number }> {
  const { restored, left_out } = await restoreRows(transaction, removalId);
  return { restored, leftOut: left_out };
}

/** Forgets members who were removed and can no longer come back. */
export async function forgetRemoved(transaction: Transaction, moment: Date): Promise<void> {
  await deleteRemovedUntil(transaction, moment);
}

/** How many lose the tier that they have, by its level. */
export function countLostTiers(
  tiers: Brand['tiers'],
  losses: readonly { readonly referrals: number; readonly lost: number }[],
): Map<number, number> {
  const lost = new Map<number, number>();
  for (const { referrals, lost: friends } of losses) {
    const { level } = tierProgress(tiers, referrals);
    if (tierProgress(tiers, referrals - friends).level < level)
      lost.set(level, (lost.get(level) ?? 0) + 1);
  }
  return lost;
}
