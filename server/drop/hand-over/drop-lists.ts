/** What a drop hands over, as other rooms see it. Each list is of one moment. */
import type { Database } from '../../db/database.ts';
import {
  readChosen,
  readFrozen,
  readHandedOffers,
  readPasses,
  readUsableCodes,
} from './hand-over-store.ts';

/** Members with a pass who are in line, in the order of their offers. */
async function readCustomers(
  database: Database,
  drop: number,
): Promise<{ size: string; email: string }[]> {
  const offers = await readHandedOffers(database, drop);
  return offers.flatMap(({ state, size, email }) =>
    (state === 'accepted' || state === 'redeemed') && email !== null ? [{ size, email }] : [],
  );
}

export const dropLists = {
  frozen: readFrozen,
  chosen: readChosen,
  offers: readHandedOffers,
  customers: readCustomers,
  codes: readUsableCodes,
  passes: readPasses,
} as const;
