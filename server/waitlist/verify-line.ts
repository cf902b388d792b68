import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { listSizes } from '../masks/list-sizes.ts';
import { keyFormula } from './line-rules.ts';
import { isSame, readFormula } from './line-store.ts';
import {
  type Differing,
  findWrongBuckets,
  findWrongCredits,
  findWrongKeys,
  findWrongPlaces,
  inOneSnapshot,
  readTotals,
} from './verify-store.ts';

export type LineVerification = {
  readonly members: number;
  /** One sentence for each kind of difference found; empty when all is well. */
  readonly differences: string[];
};

/**
 * Works out credits, keys, counts and places the slow way, in one snapshot, and says where the kept ones differ. Takes some
 * ten seconds at a million members; on the embedded engine everybody else waits meanwhile.
 */
export async function verifyLine(database: Database, brand: Brand): Promise<LineVerification> {
  const formula = keyFormula(brand.lineRule);
  const found = await inOneSnapshot(database, async (transaction) => ({
    totals: await readTotals(transaction),
    isRuleKept: isSame(await readFormula(transaction), formula),
    credits: await findWrongCredits(transaction),
    keys: await findWrongKeys(transaction, formula),
    buckets: await findWrongBuckets(transaction),
    places: await findWrongPlaces(transaction, brand.lineRule),
  }));
  const { totals } = found;
  const differences = [
    ...(found.isRuleKept ? [] : ['The line is ordered by another rule than that of the brand file.']),
    ...(totals.total === totals.members ? [] : [`The line says ${totals.total} members and has ${totals.members}.`]),
    ...(totals.next_sequence > totals.last_sequence
      ? []
      : [`The next to join would be number ${totals.next_sequence}, but ${totals.last_sequence} is taken.`]),
    ...describe('Referral counts', found.credits),
    ...describe('Sort keys', found.keys),
    ...describe('Bucket counts', found.buckets),
    ...describe('Positions', found.places),
    ...(await findOverallocated(database)),
  ];
  return { members: totals.members, differences };
}

function describe(what: string, { count, example }: Differing): string[] {
  return count === 0 ? [] : [`${what} differ in ${count} ${count === 1 ? 'place' : 'places'}, such as: ${example}.`];
}

async function findOverallocated(database: Database): Promise<string[]> {
  const sizes = await listSizes(database);
  return sizes
    .filter((size) => size.allocated > size.stock)
    .map((size) => `Of size ${size.name} ${size.allocated} are allocated and ${size.stock} in stock.`);
}
