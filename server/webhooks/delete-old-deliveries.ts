import type { Database } from '../db/database.ts';
import { deleteOld } from './endpoints/endpoint-store.ts';

/** Deletes what the log of deliveries no longer keeps, and events that every endpoint has. */
export async function deleteOldDeliveries(database: Database): Promise<void> {
  await deleteOld(database);
}
