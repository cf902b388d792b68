import { setImmediate as letRequestsIn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/database.ts';
import { all, column, first, only, run } from '../../db/rows.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { dropWork } from '../../durable-work/work-store.ts';
import { readMemberId as readUuid } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import type { ReportLine } from './compare-rules.ts';

/** The kind of work that describes and checks a list; its keys are ids of imports. */
export const CHECK = 'list-check';

export type ImportRecord = Selectable<Tables['list_import']>;

export async function insertImport(
  database: Database,
  { fileName, bytes }: { fileName: string; bytes: number },
): Promise<ImportRecord> {
  return await inTransaction(database, async (transaction) => {
    const record = await only<ImportRecord>(transaction)`
      insert into list_import (file_name, bytes) values (${fileName}, ${bytes}) returning *
    `;
    await run(transaction)`select open_import_part('chunk', ${record.id}::uuid)`;
    return record;
  });
}

/** Null in a restored line, which has no lists. */
export function findImport(
  kysely: Kysely<Tables>,
  importId: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<ImportRecord | null> {
  return first<ImportRecord>(kysely)`
    select * from list_import where id = ${readUuid(importId)}::uuid ${lock}
  `;
}

export async function readImport(
  kysely: Kysely<Tables>,
  importId: string,
  lock?: RawBuilder<unknown>,
): Promise<ImportRecord> {
  const record = await findImport(kysely, importId, lock);
  if (record !== null) return record;
  throw new Problem('unknown_path', 'There is no such import: files are kept for a day.');
}

export function lockImport(transaction: Transaction, importId: string): Promise<ImportRecord> {
  return readImport(transaction, importId, sql`for update`);
}

export function explainState(state: string): string {
  if (state === 'receiving') return 'The file is not whole yet.';
  if (state === 'importing') return 'This list is being imported.';
  if (state === 'imported') return 'This list was imported already.';
  if (state === 'refused') return 'This file cannot be read: see its problem.';
  return 'This list is not checked: map its columns first.';
}

/** Newest first. */
export function readImports({ kysely }: Database): Promise<ImportRecord[]> {
  return all<ImportRecord>(kysely)`select * from list_import order by created_at desc`;
}

export async function updateImport(
  kysely: Kysely<Tables>,
  importId: string,
  values: Updateable<Tables['list_import']>,
): Promise<void> {
  await kysely.updateTable('list_import').set(values).where('id', '=', importId).execute();
}

export async function deleteImports(
  database: Database,
  which: { readonly id: string } | { readonly before: Date },
): Promise<void> {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`created_at < ${which.before}`;
  await inTransaction(database, async (transaction) => {
    // The work is locked before the list, as a step of the check locks them.
    const ids = await column<string>(transaction)`select id from list_import where ${condition}`;
    await dropWork(transaction, CHECK, ids);
    await run(transaction)`delete from list_import where ${condition} and state <> 'importing'`;
  });
  await dropContents(database);
}

export function insertChunk(
  transaction: Transaction,
  { importId, firstByte, bytes }: { importId: string; firstByte: number; bytes: Uint8Array },
): Promise<void> {
  return run(transaction)`
    insert into list_import_chunk (import_id, first_byte, bytes)
    values (${importId}, ${firstByte}, ${bytes})
  `;
}

export async function* readChunks({ kysely }: Database, id: string): AsyncGenerator<Uint8Array> {
  let next = 0;
  for (;;) {
    const chunk = await first<{ bytes: Uint8Array }>(kysely)`
      select bytes from list_import_chunk where import_id = ${id} and first_byte = ${next}
    `;
    if (chunk === null) return;
    await letRequestsIn();
    next += chunk.bytes.length;
    yield chunk.bytes;
  }
}

/** Fills these bytes of the file with asterisks, which no encoding reads as a separator. */
export function blotChunks(
  { kysely }: Database,
  { importId, from, to }: { importId: string; from: number; to: number },
): Promise<void> {
  return run(kysely)`
    update list_import_chunk
    set bytes = overlay(
      bytes placing decode(repeat('2a', least(${to}::integer, first_byte + length(bytes))
        - greatest(${from}::integer, first_byte)), 'hex')
      from greatest(${from}::integer - first_byte, 0) + 1)
    where import_id = ${importId} and first_byte < ${to}::integer
      and first_byte + length(bytes) > ${from}::integer
  `;
}

/** Begins a report without lines. */
export function openReport(transaction: Transaction, id: string): Promise<void> {
  return run(transaction)`select open_import_part('row', ${id}::uuid)`;
}

export function insertLines(
  transaction: Transaction,
  importId: string,
  lines: readonly ReportLine[],
): Promise<void> {
  return run(transaction)`
    insert into list_import_row (import_id, line, cell, fault, notes)
    select ${importId}::uuid, line, cell, fault, notes
    from json_populate_recordset(null::list_import_row, ${JSON.stringify(lines)})
  `;
}

export function readLines(
  { kysely }: Database,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<ReportLine[]> {
  return all<ReportLine>(kysely)`
    select line, cell, fault, notes from list_import_row
    where import_id = ${importId} and line > ${after}::integer
    order by line limit ${limit}::integer
  `;
}

/** Blots the pattern out of the report. A line with nothing else in its cell is deleted. */
export async function blotLines(
  { kysely }: Database,
  importId: string,
  { words, pattern }: { readonly words: readonly string[]; readonly pattern: string },
): Promise<void> {
  await run(kysely)`
    update list_import_row set cell = regexp_replace(cell, ${pattern}, '…', 'gi')
    where import_id = ${importId}
      and lower(cell) like any(${words.map((word) => `%${word}%`)}::text[])
  `;
  await run(kysely)`delete from list_import_row where import_id = ${importId} and cell = '…'`;
}

/** Drops the files and rows of all imports that are over, also those of an earlier attempt. */
export async function dropContents({ kysely }: Database): Promise<void> {
  const parts = await all<{ part: string; id: string }>(kysely)`
    select split_part(relname, '_', 3) as part, right(relname, 32)::uuid as id from pg_class
    where relispartition and relname ~ '^list_import_(chunk|row)_[0-9a-f]{32}$'
      and right(relname, 32) not in (
        select replace(id::text, '-', '') from list_import
        where state not in ('imported', 'refused'))
  `;
  for (const { part, id } of parts)
    await run(kysely)`select drop_import_part(${part}, ${id}::uuid)`;
}
