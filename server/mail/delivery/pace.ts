import type { Database } from '../../db/database.ts';
import { claimSlots } from '../store.ts';

/**
 * Reserves times for `count` mails, `ratePerSecond` apart, after those that any server of this database has reserved.
 * Answers how many milliseconds from now each may leave.
 */
export async function reserveTimes(
  database: Database,
  { count, ratePerSecond }: { count: number; ratePerSecond: number },
): Promise<number[]> {
  const apartMs = 1000 / ratePerSecond;
  const firstInMs = await claimSlots(database, { count, apartMs });
  return Array.from({ length: count }, (_, index) => firstInMs + index * apartMs);
}
