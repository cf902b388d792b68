import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { assertStorable } from './mask-problems.ts';
import type { Allocation } from './mask-size.ts';
import { releaseAllocation } from './store.ts';

const ALLOCATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Makes the masks of an allocation available again. Throws Problem conflict when it is unknown or released already. */
export async function releaseMasks(
  database: Database,
  { allocationId, note }: { allocationId: string; note: string },
): Promise<Allocation> {
  assertStorable('note', note);
  const released = ALLOCATION_ID.test(allocationId)
    ? await releaseAllocation(database, { id: allocationId, note })
    : null;
  if (released === null)
    throw new Problem('conflict', `There is no allocation ${JSON.stringify(allocationId)} that is not released yet.`);
  return released;
}
