import type { Database } from '../db/database.ts';

export async function removeMember(_database: Database, _request: { memberId: string }): Promise<void> {
  throw new Error('not written');
}
