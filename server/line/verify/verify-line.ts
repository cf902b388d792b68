import type { Brand } from '../../../brand/brand-shape.ts';
import type { Database } from '../../db/database.ts';
import { isSameFormula, readFormula } from '../formula-store.ts';
import { keyFormula } from '../line-rules.ts';
import {
  type Differing,
  findWrongBuckets,
  findWrongCredits,
  findWrongKeys,
  findWrongMembers,
  findWrongPositions,
  findWrongStates,
  findWrongTallies,
  inOneSnapshot,
  readTotals,
} from './verify-store.ts';

export type LineVerification = {
  readonly members: number;
  /** One sentence per kind of difference; empty when all is well. */
  readonly differences: string[];
};

/**
 * Recomputes credits, keys, counts and positions the slow way, in one snapshot, and reports
 * differences. Takes some ten seconds at a million members; on the embedded engine all other work
 * waits meanwhile.
 */
export async function verifyLine(database: Database, brand: Brand): Promise<LineVerification> {
  const formula = keyFormula(brand.lineRule);
  const found = await inOneSnapshot(database, async (transaction) => ({
    totals: await readTotals(transaction),
    isRuleKept: isSameFormula(await readFormula(transaction), formula),
    credits: await findWrongCredits(transaction),
    states: await findWrongStates(transaction),
    tallies: await findWrongTallies(transaction),
    memberSet: await findWrongMembers(transaction),
    keys: await findWrongKeys(transaction, formula),
    buckets: await findWrongBuckets(transaction),
    positions: await findWrongPositions(transaction, brand.lineRule),
  }));
  const { totals } = found;
  const differences = [
    ...(found.isRuleKept
      ? []
      : ['The line is ordered by another rule than the one in the brand file.']),
    ...(totals.total === totals.members
      ? []
      : [`The line says ${totals.total} members and has ${totals.members}.`]),
    ...(totals.next_sequence > totals.last_sequence
      ? []
      : [
          `The next to join would be number ${totals.next_sequence}, ` +
            `but ${totals.last_sequence} is taken.`,
        ]),
    ...describe('Members', found.memberSet),
    ...describe('Referral counts', found.credits),
    ...describe('Credits', found.states),
    ...describe('Tallies', found.tallies),
    ...describe('Sort keys', found.keys),
    ...describe('Bucket counts', found.buckets),
    ...describe('Positions', found.positions),
  ];
  return { members: totals.members, differences };
}

function describe(what: string, { count, example }: Differing): string[] {
  return count === 0
    ? []
    : [`${what} differ in ${count} ${count === 1 ? 'place' : 'places'}, such as: ${example}.`];
}
