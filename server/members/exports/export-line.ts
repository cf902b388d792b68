/** The line as a file. */
import { fileURLToPath } from 'node:url';
import type { Brand, Tier } from '../../../brand/brand-shape.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import type { ExportFormat } from '../../../contract/operator/members.ts';
import { SOURCE_FIELDS } from '../../../contract/sources.ts';
import { readCopy } from '../../backup/embedded-copy.ts';
import { csvLine } from '../../csv/csv-rules.ts';
import type { Database } from '../../db/database.ts';
import { readFilter } from '../list/filter-rules.ts';
import { exportMembers } from './export-members.ts';

export type ExportTask = {
  readonly format: ExportFormat;
  readonly tiers: readonly Tier[];
  readonly filter: MemberFilter;
};

const COLUMNS = [
  'position',
  'email',
  'referral_code',
  'referral_count',
  'points',
  'point_adjustment',
  'tier_level',
  'is_invited',
  'referred_by',
  'joined_at',
  'confirmed_at',
  'credit',
  'credit_reasons',
  'mail_state',
  ...SOURCE_FIELDS,
  'id',
] as const satisfies readonly (keyof ListedMember)[];

type ExportOptions = {
  readonly brand: Pick<Brand, 'tiers'>;
  readonly format: ExportFormat;
  readonly filter?: MemberFilter | undefined;
  readonly dataDir: string;
};

/** Characters. One write to the socket for each member would be slow. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * The members of one moment that match, by default all, first to last, while visitors go on: of a
 * snapshot on PostgreSQL, of a copy on the embedded database. Memory does not grow with the line.
 * Throws Problem invalid_field, and BackupError when there is no space for a copy.
 */
export function exportLine(
  database: Database,
  { brand, format, filter = {}, dataDir }: ExportOptions,
): AsyncIterable<Buffer | string> {
  const { tiers } = brand;
  readFilter(filter, tiers); // Refuses a wrong one before the answer begins.
  const task: ExportTask = { format, tiers, filter };
  if (database.engine === 'postgres') return writeExport(database, task);
  const program = fileURLToPath(new URL('write-export-main.ts', import.meta.url));
  return readCopy(database, { dataDir, program, task });
}

/** The same, from a database that nobody else is using. */
export function writeExport(
  database: Database,
  { format, tiers, filter }: ExportTask,
): AsyncGenerator<string> {
  const members = exportMembers(database, { tiers, filter });
  return joinChunks(WRITERS[format](members));
}

const WRITERS = { csv: writeCsv, json: writeJson, jsonl: writeJsonLines } as const;

async function* writeCsv(members: AsyncIterable<ListedMember>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const member of members)
    yield csvLine(COLUMNS.map((column) => cellOf(member[column])));
}

/** A list is one cell. */
function cellOf(value: ListedMember[(typeof COLUMNS)[number]]) {
  return Array.isArray(value) ? value.join(' ') : value;
}

/** One array, one member per line. */
async function* writeJson(members: AsyncIterable<ListedMember>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const member of members) {
    yield separator + JSON.stringify(member);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** https://jsonlines.org: a member to each line, for programs that read as they go. */
async function* writeJsonLines(members: AsyncIterable<ListedMember>): AsyncGenerator<string> {
  for await (const member of members) yield `${JSON.stringify(member)}\n`;
}

/** The same text in larger pieces. */
export async function* joinChunks(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
