import type { Database } from '../../db/database.ts';
import { readMemberId } from '../member-id-rules.ts';
import { lineUnavailable } from '../store.ts';
import { insertSecondLook } from './credit-store.ts';

/**
 * Notes that a member asks that somebody look at their held credits again: once for each member,
 * and nothing if none is held. Throws Problem unavailable.
 */
export async function askSecondLook(database: Database, memberId: string): Promise<void> {
  const id = readMemberId(memberId);
  if (id === null) return;
  await insertSecondLook(database, id).catch((error: unknown) => {
    throw lineUnavailable(error);
  });
}
