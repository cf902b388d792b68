import type { Tier } from '../../../brand/brand-shape.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import type { Database } from '../../db/database.ts';
import { openSnapshot } from '../../db/snapshot.ts';
import { readFilter } from '../list/filter-rules.ts';
import { viewListed } from '../list/listed-member.ts';
import { readMatchingPages } from './export-store.ts';

/** About half a megabyte of rows. */
const PAGE_SIZE = 1_000;

/** `filter`: the whole line by default. */
export type Exported = { readonly tiers: readonly Tier[]; readonly filter?: MemberFilter };

/**
 * The members of one moment that match, first to last. Holds one page of members in memory, and its
 * snapshot until the caller has read all or stops: see `openSnapshot` for what that costs.
 */
export async function* exportMembers(
  database: Database,
  { tiers, filter = {} }: Exported,
): AsyncGenerator<ListedMember, void, undefined> {
  const criteria = readFilter(filter, tiers);
  const snapshot = await openSnapshot(database);
  try {
    for await (const rows of readMatchingPages(snapshot, { criteria, pageSize: PAGE_SIZE }))
      for (const row of rows) yield viewListed({ tiers }, row);
  } finally {
    await snapshot.rollback().execute();
  }
}
