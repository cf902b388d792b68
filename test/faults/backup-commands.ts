/** The commands of backup and restore as processes, and what tests ask of what they leave. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { brand } from '../../brand/brand.ts';
import { openDatabase } from '../../server/db/open.ts';
import { exportMembers } from '../../server/waitlist/export-members.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';
import { dumpDatabase } from '../support/dump-database.ts';

export type Place = { readonly dataDir: string; readonly databaseUrl: string | null };
export type Outcome = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

/** The settings by which a process finds the place. */
export function settingsOf({ dataDir, databaseUrl }: Place): Record<string, string> {
  return { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
}

/** Runs it to its end. */
export async function runCommand(script: 'backup' | 'restore', place: Place, file: string): Promise<Outcome> {
  const child = startCommand(script, place, file);
  const out = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    out.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    out.stderr += chunk;
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, ...out };
}

export function startCommand(script: 'backup' | 'restore', place: Place, file: string): ChildProcess {
  const { DATABASE_URL: _own, SECRET_KEY: _key, ...inherited } = process.env;
  const path = fileURLToPath(new URL(`../../scripts/${script}.ts`, import.meta.url));
  return spawn(process.execPath, [path, file], {
    env: { ...inherited, ...settingsOf(place) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What the database of a stopped place holds: members by id with their positions, what verify finds, and every row. */
export async function inspect({ dataDir, databaseUrl }: Place) {
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {} });
  try {
    const positions = new Map<string, number>();
    for await (const { id, position } of exportMembers(database, brand)) positions.set(id, position);
    const { differences } = await verifyLine(database, brand);
    // When a migration was applied is the new database's own; everything else is the backup's.
    const { text } = await dumpDatabase(database, (table) => /^public\.(?!schema_migration)/.test(table));
    return { positions, differences, rows: text };
  } finally {
    await database.close();
  }
}
