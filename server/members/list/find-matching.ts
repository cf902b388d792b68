import type { Brand } from '../../../brand/brand-shape.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { Transaction } from '../../db/transaction.ts';
import { readFilter } from './filter-rules.ts';
import { readMatchingIds } from './filter-store.ts';

/**
 * The ids of at most `limit` members in line that match the filter and are among `ids`. Throws
 * Problem invalid_field.
 */
export async function findMatching(
  transaction: Transaction,
  wanted: {
    readonly filter: MemberFilter;
    /** Null: of the whole line. */
    readonly ids: readonly string[] | null;
    readonly brand: Pick<Brand, 'tiers'>;
    readonly limit: number;
  },
): Promise<string[]> {
  const { filter, ids, brand, limit } = wanted;
  return await readMatchingIds(transaction, readFilter(filter, brand.tiers), { ids, limit });
}
