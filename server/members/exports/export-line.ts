import { fileURLToPath } from 'node:url';
import type { Brand, Tier } from '../../../brand/brand-shape.ts';
import { FIELD_NAMES } from '../../../contract/member-fields.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import type { ExportRequest } from '../../../contract/operator/members.ts';
import { readCopy } from '../../backup/embedded-copy.ts';
import { csvHeader, csvLine, joinChunks } from '../../csv/csv-rules.ts';
import type { Database } from '../../db/database.ts';
import { openSnapshot } from '../../db/snapshot.ts';
import { readFilter } from '../list/filter-rules.ts';
import { viewMember } from '../list/read-members.ts';
import { readMatchingPages } from './export-store.ts';

export type ExportTask = ExportRequest & {
  readonly tiers: readonly Tier[];
  readonly filter: MemberFilter;
};

type ExportOptions = ExportRequest & {
  readonly brand: Pick<Brand, 'tiers'>;
  readonly filter?: MemberFilter | undefined;
  readonly dataDir: string;
};

const PAGE_SIZE = 1_000;

/** A snapshot on PostgreSQL, a copy on the embedded engine. Throws Problem and BackupError. */
export function exportLine(
  database: Database,
  { brand, filter = {}, dataDir, ...request }: ExportOptions,
): AsyncIterable<Buffer | string> {
  const { tiers } = brand;
  readFilter(filter, tiers); // Refuses a wrong one before the answer begins.
  const task: ExportTask = { ...request, tiers, filter };
  if (database.engine === 'postgres') return writeExport(database, task);
  const program = fileURLToPath(new URL('write-export-main.ts', import.meta.url));
  return readCopy(database, { dataDir, program, task });
}

export function writeExport(database: Database, task: ExportTask): AsyncGenerator<string> {
  return joinChunks(WRITERS[task.format](exportMembers(database, task), task));
}

export async function* exportMembers(
  database: Database,
  { tiers, filter = {} }: { readonly tiers: readonly Tier[]; readonly filter?: MemberFilter },
): AsyncGenerator<ListedMember, void, undefined> {
  const criteria = readFilter(filter, tiers);
  const snapshot = await openSnapshot(database);
  try {
    for await (const rows of readMatchingPages(snapshot, { criteria, pageSize: PAGE_SIZE }))
      for (const row of rows) yield viewMember(tiers, row);
  } finally {
    await snapshot.rollback().execute();
  }
}

const WRITERS = { csv: writeCsv, json: writeJson, jsonl: writeJsonLines } as const;

async function* writeCsv(
  members: AsyncIterable<ListedMember>,
  { separator }: ExportTask,
): AsyncGenerator<string> {
  yield csvHeader(FIELD_NAMES, separator);
  for await (const member of members)
    yield csvLine(
      FIELD_NAMES.map((name) => member[name]),
      separator,
    );
}

async function* writeJson(members: AsyncIterable<ListedMember>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const member of members) {
    yield separator + JSON.stringify(member);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* writeJsonLines(members: AsyncIterable<ListedMember>): AsyncGenerator<string> {
  for await (const member of members) yield `${JSON.stringify(member)}\n`;
}
