import type { Database } from '../../db/database.ts';
import { readOpenOffers } from './offer-store.ts';

/** An offer that can be accepted, as a mail needs it. */
export type OpenOffer = {
  readonly size: string;
  readonly expiresAt: Date;
  readonly timeZone: string;
};

/** Those of the offers that can still be accepted, by id. */
export async function getOpenOffers(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, OpenOffer>> {
  const rows = ids.length === 0 ? [] : await readOpenOffers(database, ids);
  return new Map(
    rows.map(({ id, size, expires_at: expiresAt, time_zone: timeZone }) => [
      id,
      { size, expiresAt, timeZone },
    ]),
  );
}
