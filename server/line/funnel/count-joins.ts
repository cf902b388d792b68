import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { countNextJoins } from './funnel-store.ts';

/** A query of this many takes some milliseconds, for which joins wait on the embedded engine. */
const MEMBERS_AT_A_TIME = 200;

/** Servers run it one at a time. Stops after `maxMs`. */
export async function countJoins(database: Database, { maxMs }: { maxMs: number }): Promise<void> {
  const until = performance.now() + maxMs;
  while ((await countNextJoins(database, MEMBERS_AT_A_TIME)) === MEMBERS_AT_A_TIME) {
    if (performance.now() > until) return;
    await letOthersIn();
  }
}
