import type { Database } from '../db/database.ts';
import { readMemberId } from './member-id-rules.ts';
import { confirm } from './store.ts';

/**
 * The address was proved to be the member's. Where credit waited for that, the referrer gets it now. Once or again, the outcome
 * is the same; `unknown` for who has left or never was.
 */
export async function confirmMember(
  database: Database,
  { memberId }: { memberId: string },
): Promise<'confirmed' | 'unknown'> {
  const id = readMemberId(memberId);
  return id !== null && (await confirm(database, id)) ? 'confirmed' : 'unknown';
}
