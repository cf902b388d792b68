import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { type OfferHolder, readOfferHolders } from '../../members/links/store.ts';

export type OfferHolders = {
  /** Null for somebody who is not in line. Throws Problem too_busy or unavailable. */
  find(memberId: string): Promise<OfferHolder | null>;
  close(): Promise<void>;
};

const BATCHES = { maxBatchSize: 256, minBeside: 8, maxWaiting: 8192, maxWaitMs: 5_000 };
const MAX_IN_FLIGHT = { embedded: 1, postgres: 3 };

/**
 * Whose link acts, and whether there is an offer for it to act on. When offers are made, thousands
 * without one try theirs: one query answers all that come together.
 */
export function openOfferHolders(database: Database): OfferHolders {
  const batcher = openBatcher<string, OfferHolder | null>({
    ...BATCHES,
    maxInFlight: MAX_IN_FLIGHT[database.engine],
    async runBatch(ids) {
      const holders = await readOfferHolders(database, [...new Set(ids)]);
      const byId = new Map(holders.map((holder) => [holder.id, holder]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });
  return { find: (memberId) => batcher.ask(memberId), close: () => batcher.close() };
}
