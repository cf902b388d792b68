/** Reads the final state of the database. */
import { brand } from '../../brand/brand.ts';
import type { OperatorMember } from '../../contract/operator/members.ts';
import { openDatabase } from '../../server/db/open.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { exportMembers } from '../../server/members/exports/export-line.ts';

export type ReadLine = { readonly line: OperatorMember[]; readonly differences: string[] };

/** The line, first to last, and the findings of `npm run verify`. The server must be stopped. */
export async function readLine(place: {
  dataDir: string;
  databaseUrl: string | null;
}): Promise<ReadLine> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  try {
    const { differences } = await verifyLine(database);
    const line: OperatorMember[] = [];
    for await (const member of exportMembers(database, brand)) line.push(member);
    return { line, differences };
  } finally {
    await database.close();
  }
}
