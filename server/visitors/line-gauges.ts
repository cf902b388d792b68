import type { Registry } from 'prom-client';
import type { Stats } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import { getOfferCounts } from '../drop/offers/get-figures.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';

const GAUGES = {
  waitlist_members: 'Members in line.',
  waitlist_masks_available: 'Masks in stock that are promised to nobody.',
};

const DROP_GAUGES = {
  waitlist_offers_open: 'Offers of the last drop that wait for an answer.',
  waitlist_passes_given: 'Passes of the last drop, redeemed ones among them.',
};

/** How the offers of the last drop stand. */
export function addDropGauges(registry: Registry, database: Database): void {
  addDatabaseGauges(registry, DROP_GAUGES, async () => {
    const { open, accepted, redeemed } = await getOfferCounts(database);
    return { waitlist_offers_open: open, waitlist_passes_given: accepted + redeemed };
  });
}

export function addLineGauges(registry: Registry, getStats: () => Promise<Stats>): void {
  addDatabaseGauges(registry, GAUGES, async () => {
    const stats = await getStats();
    return {
      waitlist_members: stats.total_signups,
      waitlist_masks_available: stats.available_masks,
    };
  });
}
