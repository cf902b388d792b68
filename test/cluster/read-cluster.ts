/** What stands in the database when all is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brand } from '../../brand/brand.ts';
import { openDatabase } from '../../server/db/open.ts';
import { exportMembers } from '../../server/waitlist/export-members.ts';
import type { OperatorMember } from '../../server/waitlist/member-view.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';

/** The line, first to last, and what `npm run verify` finds. */
export async function readCluster(
  databaseUrl: string,
): Promise<{ line: OperatorMember[]; differences: readonly string[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-read-'));
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {}, asItIs: true });
  try {
    const { differences } = await verifyLine(database, brand);
    const line: OperatorMember[] = [];
    for await (const member of exportMembers(database, brand)) line.push(member);
    return { line, differences };
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true });
  }
}
