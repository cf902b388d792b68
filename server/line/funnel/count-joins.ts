import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { countNextJoins } from './funnel-store.ts';

/** Few enough for a query of some milliseconds: on the embedded engine joins wait for it. */
const MEMBERS_AT_A_TIME = 200;
/** Between two queries, so that joins get most of the time while a long line is counted. */
const PAUSE_MS = 25;

/**
 * Counts the members who joined since the last call, for the overview: by when they joined, where
 * they came from and who brought them. Servers take turns. Stops after `maxMs`.
 */
export async function countJoins(database: Database, { maxMs }: { maxMs: number }): Promise<void> {
  const until = performance.now() + maxMs;
  while ((await countNextJoins(database, MEMBERS_AT_A_TIME)) === MEMBERS_AT_A_TIME) {
    if (performance.now() > until) return;
    await pause(PAUSE_MS);
  }
}
