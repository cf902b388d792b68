import type { Database } from '../db/database.ts';
import { readMemberId, unknownMember } from './member-id-rules.ts';
import { deleteMember } from './store.ts';

/**
 * Takes a member out of the line, with all that the database keeps of them: their referrer loses the credit, their friends
 * stay where they are, everybody behind moves up. Throws Problem unknown_member.
 */
export async function removeMember(database: Database, request: { memberId: string }): Promise<void> {
  const id = readMemberId(request.memberId);
  if (id === null || !(await deleteMember(database, id))) throw unknownMember();
}
