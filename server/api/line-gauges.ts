import type { Registry } from 'prom-client';
import type { Stats } from '../../contract/schemas.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';

const GAUGES = {
  waitlist_members: 'Members in line.',
  waitlist_masks_available: 'Masks in stock that are promised to nobody.',
};

export function addLineGauges(registry: Registry, getStats: () => Promise<Stats>): void {
  addDatabaseGauges(registry, GAUGES, async () => {
    const stats = await getStats();
    return {
      waitlist_members: stats.total_signups,
      waitlist_masks_available: stats.available_masks,
    };
  });
}
