import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { readFilter } from '../../members/list/filter-rules.ts';
import { matches, positionsWithin } from '../../members/list/filter-store.ts';
import type { Platform } from '../../module.ts';
import { findNextRecipients, readUnfound, stopHalted } from './campaign-store.ts';

/** A join on the embedded engine waits some milliseconds for a slice of this many members. */
const SLICE = 500;
/** So many neighbours in the line are found at one moment, so that "first 100" is nobody else. */
const MAX_AT_ONCE = 10_000;

/** Any number of servers may do so: a slice begins where the last committed one ended. */
export async function findRecipients(
  { database, brand, isStopping }: Pick<Platform, 'database' | 'brand' | 'isStopping'>,
  onFound: () => void,
): Promise<void> {
  await stopHalted(database);
  while (!isStopping()) {
    const campaign = await readUnfound(database);
    if (campaign === null) return;
    const criteria = readFilter(campaign.filter as MemberFilter, brand.tiers);
    const { least = 1, most = Infinity } = criteria.positions ?? {};
    await findNextRecipients(database, {
      id: campaign.id,
      condition: matches(criteria),
      among: most - least < MAX_AT_ONCE ? positionsWithin(criteria) : SLICE,
    });
    onFound();
    await letOthersIn();
  }
}
