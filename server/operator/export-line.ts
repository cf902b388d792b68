/** The line as a file. */
import { fileURLToPath } from 'node:url';
import type { Brand, Tier } from '../../brand/brand-shape.ts';
import type { OperatorMember } from '../../contract/operator/members.ts';
import { SOURCE_FIELDS } from '../../contract/sources.ts';
import { readCopy } from '../backup/embedded-copy.ts';
import type { Database } from '../db/database.ts';
import { exportMembers } from '../line/find-members.ts';
import { csvLine } from './csv-rules.ts';

export type ExportFormat = 'csv' | 'json';

export type ExportTask = { readonly format: ExportFormat; readonly tiers: readonly Tier[] };

const COLUMNS = [
  'position',
  'email',
  'referral_code',
  'referral_count',
  'points',
  'tier_level',
  'is_invited',
  'referred_by',
  'joined_at',
  'confirmed_at',
  ...SOURCE_FIELDS,
  'id',
] as const satisfies readonly (keyof OperatorMember)[];

/** Characters. One write to the socket for each member would be slow. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * The line of one moment, first to last, while visitors go on: of a snapshot on PostgreSQL, of a
 * copy on the embedded database. Memory does not grow with the line. Throws BackupError when there
 * is no space for a copy.
 */
export function exportLine(
  database: Database,
  { brand, format, dataDir }: { brand: Brand; format: ExportFormat; dataDir: string },
): AsyncIterable<Buffer | string> {
  const task: ExportTask = { format, tiers: brand.tiers };
  if (database.engine === 'postgres') return writeExport(database, task);
  const program = fileURLToPath(new URL('write-export-main.ts', import.meta.url));
  return readCopy(database, { dataDir, program, task });
}

/** The same, from a database that nobody else is using. */
export function writeExport(
  database: Database,
  { format, tiers }: ExportTask,
): AsyncGenerator<string> {
  const members = exportMembers(database, { tiers });
  return joinChunks(format === 'csv' ? writeCsv(members) : writeJson(members));
}

async function* writeCsv(members: AsyncIterable<OperatorMember>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const member of members) yield csvLine(COLUMNS.map((column) => member[column]));
}

/** One array, one member per line. */
async function* writeJson(members: AsyncIterable<OperatorMember>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const member of members) {
    yield separator + JSON.stringify(member);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* joinChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
