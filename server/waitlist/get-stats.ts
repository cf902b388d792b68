import type { Stats } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import { listSizes } from '../masks/list-sizes.ts';
import { readTopReferralCounts, readTotal } from './store.ts';

/** How many of the best referrers are told; SPEC 3 reads the first. */
const TOP_REFERRERS = 10;

/** SPEC 3: numbers only, no personal data. */
export async function getStats(database: Database): Promise<Stats> {
  const [total, sizes, topReferralCounts] = await Promise.all([
    readTotal(database),
    listSizes(database),
    readTopReferralCounts(database, TOP_REFERRERS),
  ]);
  return {
    total_signups: total,
    available_masks: sizes.reduce((sum, size) => sum + size.available, 0),
    top_referrers: topReferralCounts.map((referrals) => ({ referrals })),
  };
}
