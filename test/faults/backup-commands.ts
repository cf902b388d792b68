/** Runs commands on a whole line, and inspects what they leave. */

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brand } from '../../brand/brand.ts';
import { NOT_BACKED_UP } from '../../server/backup/store.ts';
import { openDatabase } from '../../server/db/open.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { exportMembers } from '../../server/members/exports/export-line.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import type { Place } from '../support/provide-places.ts';
import { runCommand as runInProcess } from '../support/run-command.ts';
import type { Outcome } from '../support/run-program.ts';
import { QUICK_START } from '../support/server-process.ts';

type Command = 'backup' | 'restore' | 'this-is-the-line' | 'verify';

/** The environment for a process on this place. */
export function settingsOf({ dataDir, databaseUrl }: Place): Record<string, string> {
  return { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
}

/** Runs the command to its end. */
export function runCommand(
  command: Command,
  { backupDir = null, ...place }: Place & { readonly backupDir?: string | null },
  ...words: string[]
): Promise<Outcome> {
  const own = backupDir === null ? {} : { BACKUP_DIR: backupDir };
  return runInProcess({ ...settingsOf(place), ...own }, command, ...words);
}

/** Starts it as a process of its own, to be killed. */
export function startCommand(command: Command, place: Place, ...words: string[]): ChildProcess {
  const { DATABASE_URL: _own, SECRET_KEY: _key, ...inherited } = process.env;
  const path = fileURLToPath(new URL('../../scripts/waitlist.ts', import.meta.url));
  return spawn(process.execPath, [...QUICK_START, path, command, ...words], {
    env: { ...inherited, ...settingsOf(place) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const DERIVED = ['standing', 'count_node', 'referral_tally'];
/** Left out of backups on purpose: everything else, what is derived too, must come back. */
export const LEFT_OUT = NOT_BACKED_UP.filter((table) => !DERIVED.includes(table));

/** Positions by member id, the findings of verify, and every row, with the server stopped. */
export async function inspect({ dataDir, databaseUrl }: Place) {
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {} });
  try {
    const positions = new Map<string, number>();
    for await (const { id, position } of exportMembers(database, brand))
      positions.set(id, position);
    const { differences } = await verifyLine(database);
    const { text } = await dumpDatabase(
      database,
      (table) => table.startsWith('public.') && !LEFT_OUT.includes(table.slice('public.'.length)),
    );
    return { positions, differences, rows: text };
  } finally {
    await database.close();
  }
}
