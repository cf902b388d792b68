/** What stands in the database when all is over. */
import { brand } from '../../brand/brand.ts';
import { openDatabase } from '../../server/db/open.ts';
import { exportMembers } from '../../server/waitlist/export-members.ts';
import type { OperatorMember } from '../../server/waitlist/member-view.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';

export type ReadLine = { readonly line: OperatorMember[]; readonly differences: string[] };

/** The line of stopped servers, first to last, and what `npm run verify` finds. */
export async function readLine(place: { dataDir: string; databaseUrl: string | null }): Promise<ReadLine> {
  const database = await openDatabase({ ...place, log: () => {}, asItIs: true });
  try {
    const { differences } = await verifyLine(database, brand);
    const line: OperatorMember[] = [];
    for await (const member of exportMembers(database, brand)) line.push(member);
    return { line, differences };
  } finally {
    await database.close();
  }
}
