import type { Tier } from '../../../brand/brand-shape.ts';
import type { Database } from '../../db/database.ts';
import { expandEvents } from '../expand-events.ts';
import { type HeldEndpoint, queueDeliveries, readEvents } from './delivery-store.ts';

/** Events that are made deliveries at a time. */
const TAKE = 64;

/**
 * Makes the next events deliveries, where the endpoint wants them. False when the endpoint has all
 * that has happened.
 */
export async function takeEvents(
  database: Database,
  endpoint: HeldEndpoint,
  tiers: readonly Tier[],
): Promise<boolean> {
  const from = { sequence: endpoint.next_sequence, ordinal: endpoint.next_ordinal };
  const rows = await readEvents(database, from.sequence);
  const last = rows.at(-1);
  if (last === undefined) return false;
  const events = rows.flatMap((row) =>
    expandEvents(row, tiers)
      .filter(({ kind, ordinal }) => {
        const isNext = row.sequence > from.sequence || ordinal >= from.ordinal;
        return isNext && endpoint.events.includes(kind);
      })
      .map((event) => ({ ...event, sequence: row.sequence, happenedAt: row.happened_at })),
  );
  const taken = events.slice(0, TAKE);
  const following = events[TAKE];
  const to = following ?? { sequence: last.sequence + 1, ordinal: 0 };
  await queueDeliveries(database, {
    endpointId: endpoint.id,
    from,
    to: { sequence: to.sequence, ordinal: to.ordinal },
    events: taken,
  });
  return true;
}
