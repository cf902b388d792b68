import { setImmediate as letRequestsIn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type {
  ImportMapping,
  ListImport,
  ReportPage,
} from '../../../contract/operator/imports/list-import.ts';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { readMemberId as readUuid } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import type { FileFormat } from './describe-file.ts';

type Contents = {
  readonly format: FileFormat | null;
  readonly mapping: ImportMapping | null;
  readonly report: ListImport['report'];
};
export type ImportRecord = Omit<Selectable<Tables['list_import']>, keyof Contents> & Contents;

export async function insertImport(
  database: Database,
  { fileName, bytes }: { fileName: string; bytes: number },
): Promise<ImportRecord> {
  return await inTransaction(database, async (transaction) => {
    const { rows } = await sql<ImportRecord>`
      insert into list_import (file_name, byte_count) values (${fileName}, ${bytes}) returning *
    `.execute(transaction);
    const record = rows[0] as ImportRecord;
    await sql`select open_import_part('chunk', ${record.id}::uuid)`.execute(transaction);
    return record;
  });
}

export async function readImport(kysely: Kysely<Tables>, importId: string): Promise<ImportRecord> {
  return await selectImport(kysely, importId, sql``);
}

export async function lockImport(kysely: Transaction, importId: string): Promise<ImportRecord> {
  return await selectImport(kysely, importId, sql`for update`);
}

async function selectImport(kysely: Kysely<Tables>, importId: string, lock: RawBuilder<unknown>) {
  const { rows } = await sql<ImportRecord>`
    select * from list_import where id = ${readUuid(importId)}::uuid ${lock}
  `.execute(kysely);
  if (rows[0] !== undefined) return rows[0];
  throw new Problem('unknown_path', 'There is no such import: files are kept for a day.');
}

export function explainState(state: string): string {
  if (state === 'receiving') return 'The file is not whole yet.';
  if (state === 'importing') return 'This list is being imported.';
  if (state === 'imported') return 'This list was imported already.';
  if (state === 'refused') return 'This file cannot be read: see its problem.';
  return 'This list is not checked: map its columns first.';
}

export async function readImports({ kysely }: Database): Promise<ImportRecord[]> {
  const { rows } = await sql<ImportRecord>`
    select * from list_import order by created_at desc
  `.execute(kysely);
  return rows;
}

/** Lists that are to be checked or to join, oldest first. */
export async function listWalks({ kysely }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from list_import where state in ('checking', 'importing') order by created_at
  `.execute(kysely);
  return rows.map(({ id }) => id);
}

/** Takes a list that is to be checked or to join, unless a server is at it, which writes often. */
export async function claimImport(database: Database, id: string): Promise<ImportRecord | null> {
  const { rows } = await sql<ImportRecord>`
    update list_import set check_id = gen_random_uuid(), checked_at = clock_timestamp()
    where id = ${id} and state in ('checking', 'importing')
      and (check_id is null or checked_at < clock_timestamp() - interval '10 s')
    returning *
  `.execute(database.kysely);
  return rows[0] ?? null;
}

/** Updates with a `checkId` only while no other walk has begun. Returns whether it has updated. */
export async function updateImport(
  kysely: Kysely<Tables>,
  { id, checkId }: { readonly id: string; readonly checkId?: string },
  { format, mapping, report, ...values }: Partial<ImportRecord>,
): Promise<boolean> {
  let query = kysely
    .updateTable('list_import')
    .set({
      ...values,
      ...(format && { format: JSON.stringify(format) }),
      ...(mapping && { mapping: JSON.stringify(mapping) }),
      ...(report !== undefined && { report: report && JSON.stringify(report) }),
      ...(checkId !== undefined && { checked_at: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', id);
  if (checkId !== undefined) query = query.where('check_id', '=', checkId);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Refuses a file that cannot be read. */
export async function refuseImport(
  database: Database,
  which: Parameters<typeof updateImport>[1],
  problem: string,
): Promise<void> {
  await updateImport(database.kysely, which, { state: 'refused', problem });
  await dropContents(database);
}

export async function insertChunk(
  transaction: Transaction,
  { importId, firstByte, bytes }: { importId: string; firstByte: number; bytes: Uint8Array },
): Promise<void> {
  await sql`
    insert into list_import_chunk (import_id, first_byte, bytes)
    values (${importId}, ${firstByte}, ${bytes})
  `.execute(transaction);
}

export async function* readChunks({ kysely }: Database, id: string): AsyncGenerator<Uint8Array> {
  let next = 0;
  for (;;) {
    const { rows } = await sql<{ bytes: Uint8Array }>`
      select bytes from list_import_chunk where import_id = ${id} and first_byte = ${next}
    `.execute(kysely);
    if (rows[0] === undefined) return;
    await letRequestsIn();
    next += rows[0].bytes.length;
    yield rows[0].bytes;
  }
}

/** Fills these bytes of the file with asterisks, which no encoding reads as a separator. */
export async function blotChunks(
  { kysely }: Database,
  { importId, from, to }: { importId: string; from: number; to: number },
): Promise<void> {
  await sql`
    update list_import_chunk
    set bytes = overlay(
      bytes placing decode(repeat('2a', least(${to}::integer, first_byte + length(bytes))
        - greatest(${from}::integer, first_byte)), 'hex')
      from greatest(${from}::integer - first_byte, 0) + 1)
    where import_id = ${importId} and first_byte < ${to}::integer
      and first_byte + length(bytes) > ${from}::integer
  `.execute(kysely);
}

export async function deleteImports(
  database: Database,
  which: { readonly id: string } | { readonly before: Date },
): Promise<void> {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`created_at < ${which.before}`;
  await sql`
    delete from list_import where ${condition} and state <> 'importing'
  `.execute(database.kysely);
  await dropContents(database);
}

/** A row that is left out or not imported in full. */
export type ReportLine = ReportPage['lines'][number] & { readonly ordinal: number };

/** Begins a report without lines. */
export async function openReport(transaction: Transaction, id: string): Promise<void> {
  await sql`select open_import_part('row', ${id}::uuid)`.execute(transaction);
}

export async function insertLines(
  transaction: Transaction,
  importId: string,
  lines: readonly ReportLine[],
): Promise<void> {
  await sql`
    insert into list_import_row (import_id, ordinal, line, cell, fault, notes)
    select ${importId}::uuid, ordinal, line, cell, fault, notes
    from json_populate_recordset(null::list_import_row, ${JSON.stringify(lines)})
  `.execute(transaction);
}

export async function readLines(
  { kysely }: Database,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<ReportLine[]> {
  const { rows } = await sql<ReportLine>`
    select ordinal, line, cell, fault, notes from list_import_row
    where import_id = ${importId} and ordinal > ${after}::integer
    order by ordinal limit ${limit}::integer
  `.execute(kysely);
  return rows;
}

/** Blots the pattern out of the report. A line with nothing else in its cell is deleted. */
export async function blotLines(
  { kysely }: Database,
  importId: string,
  { words, pattern }: { readonly words: readonly string[]; readonly pattern: string },
): Promise<void> {
  await sql`
    update list_import_row set cell = regexp_replace(cell, ${pattern}, '…', 'gi')
    where import_id = ${importId}
      and lower(cell) like any(${words.map((word) => `%${word}%`)}::text[])
  `.execute(kysely);
  await sql`
    delete from list_import_row where import_id = ${importId} and cell = '…'
  `.execute(kysely);
}

/** Drops the files and rows of all imports that are over, also those of an earlier attempt. */
export async function dropContents({ kysely }: Database): Promise<void> {
  const { rows } = await sql<{ part: string; id: string }>`
    select split_part(relname, '_', 3) as part, right(relname, 32)::uuid as id from pg_class
    where relispartition and relname ~ '^list_import_(chunk|row)_[0-9a-f]{32}$'
      and right(relname, 32) not in (
        select replace(id::text, '-', '') from list_import
        where state not in ('imported', 'refused'))
  `.execute(kysely);
  for (const { part, id } of rows)
    await sql`select drop_import_part(${part}, ${id}::uuid)`.execute(kysely);
}
