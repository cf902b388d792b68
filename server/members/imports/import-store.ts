import { setImmediate as letRequestsIn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
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

export async function readImport({ kysely }: Database, importId: string): Promise<ImportRecord> {
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

/** With `checkId`, updates only while that check goes on. Returns whether it has updated. */
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
  if (checkId !== undefined)
    query = query.where('check_id', '=', checkId).where('state', '=', 'checking');
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function resumeCheck(
  kysely: Kysely<Tables>,
  { id, checkId }: { readonly id: string; readonly checkId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update list_import set check_id = ${checkId}, read_bytes = 0
    where id = ${id} and check_id is null and state = 'checking'
  `.execute(kysely);
  return numAffectedRows > 0n;
}

export async function refuseImport(
  database: Database,
  which: { readonly id: string; readonly checkId?: string },
  problem: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    if (await updateImport(transaction, which, { state: 'refused', problem }))
      await dropParts(transaction, which.id);
  });
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

export async function deleteImport(database: Database, id: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const { numAffectedRows = 0n } = await sql`
      delete from list_import where id = ${id} and state <> 'importing'`.execute(transaction);
    if (numAffectedRows > 0n) await dropParts(transaction, id);
  });
}

export async function deleteContents(database: Database, id: string): Promise<void> {
  await inTransaction(database, (transaction) => dropParts(transaction, id));
}

async function dropParts(transaction: Transaction, id: string): Promise<void> {
  await sql`
    select drop_import_part(part, ${id}::uuid) from unnest(array['chunk', 'row']) part
  `.execute(transaction);
}

export async function openRows(transaction: Transaction, id: string): Promise<void> {
  await sql`select open_import_part('row', ${id}::uuid)`.execute(transaction);
}

export async function listImportsBefore({ kysely }: Database, moment: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from list_import where created_at < ${moment} and state <> 'importing'
  `.execute(kysely);
  return rows.map(({ id }) => id);
}

/** Imports that are over, and still have a file or rows, which the last attempt could not drop. */
export async function listWithLeftContents({ kysely }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct right(relname, 32)::uuid as id from pg_class
    where relispartition and relname ~ '^list_import_(chunk|row)_[0-9a-f]{32}$'
      and right(relname, 32) not in (
        select replace(id::text, '-', '') from list_import
        where state not in ('imported', 'refused'))
  `.execute(kysely);
  return rows.map(({ id }) => id);
}
