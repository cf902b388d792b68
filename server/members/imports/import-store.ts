/** Imports and the bytes of their files. */
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { Transaction } from '../../db/transaction.ts';

/** Deleted in one transaction. */
const DELETED_ROWS = 5_000;
const DELETED_BYTES = 8 * 1024 * 1024;

export type ImportRecord = Selectable<Tables['list_import']>;

export async function insertImport(
  { kysely }: Database,
  file: { fileName: string; bytes: number },
): Promise<ImportRecord> {
  return await kysely
    .insertInto('list_import')
    .values({ file_name: file.fileName, byte_count: file.bytes })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function readImport(
  { kysely }: Pick<Database, 'kysely'>,
  id: string,
): Promise<ImportRecord | null> {
  const row = await kysely
    .selectFrom('list_import')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockImport(
  transaction: Transaction,
  id: string,
): Promise<ImportRecord | null> {
  const row = await transaction
    .selectFrom('list_import')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export async function readImports({ kysely }: Database): Promise<ImportRecord[]> {
  return await kysely.selectFrom('list_import').selectAll().orderBy('created_at', 'desc').execute();
}

export async function updateImport(
  database: Pick<Database, 'kysely'>,
  id: string,
  values: Partial<
    Pick<ImportRecord, 'state' | 'problem' | 'sha256' | 'check_id' | 'read_bytes' | 'received'>
  > & { format?: string; mapping?: string; report?: string | null },
): Promise<void> {
  await database.kysely.updateTable('list_import').set(values).where('id', '=', id).execute();
}

export async function insertChunk(
  transaction: Transaction,
  chunk: { importId: string; firstByte: number; bytes: Uint8Array },
): Promise<void> {
  await transaction
    .insertInto('list_import_chunk')
    .values({ import_id: chunk.importId, first_byte: chunk.firstByte, bytes: chunk.bytes })
    .execute();
}

/** The file, one chunk at a time. */
export async function* readChunks({ kysely }: Database, id: string): AsyncGenerator<Uint8Array> {
  let next = 0;
  for (;;) {
    const chunk = await kysely
      .selectFrom('list_import_chunk')
      .select('bytes')
      .where('import_id', '=', id)
      .where('first_byte', '=', next)
      .executeTakeFirst();
    if (chunk === undefined) return;
    next += chunk.bytes.length;
    yield chunk.bytes;
  }
}

/** What the check of the import has written so far. False when a later check has begun. */
export async function noteProgress(
  transaction: Transaction,
  { id, checkId, readBytes }: { id: string; checkId: string; readBytes?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('list_import')
    .set({
      checked_at: sql<Date>`clock_timestamp()`,
      ...(readBytes !== undefined && { read_bytes: readBytes }),
    })
    .where('id', '=', id)
    .where('check_id', '=', checkId)
    .where('state', '=', 'checking')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The import with its file and its rows. False when there is none. */
export async function deleteImport(database: Database, id: string): Promise<boolean> {
  // A check that is under way stops.
  await updateImport(database, id, { check_id: null });
  await deleteContents(database, id);
  const deleted = await database.kysely
    .deleteFrom('list_import')
    .where('id', '=', id)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** File and rows, which hold addresses; what was imported stays on record. */
export async function deleteContents(database: Database, id: string): Promise<void> {
  await deleteParts(database, id, 'list_import_chunk', 'first_byte', DELETED_BYTES);
  await deleteRows(database, id);
}

export async function deleteRows(database: Database, id: string): Promise<void> {
  await deleteParts(database, id, 'list_import_row', 'ordinal', DELETED_ROWS);
}

/** A piece at a time: on the embedded database, joins wait for each. */
async function deleteParts(
  { kysely }: Database,
  id: string,
  table: string,
  key: string,
  atOnce: number,
): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where import_id = ${id} and ${sql.ref(key)} < ${atOnce}::integer + (
        select min(${sql.ref(key)}) from ${sql.table(table)} where import_id = ${id})
    `.execute(kysely);
    if (numAffectedRows === undefined || numAffectedRows === 0n) return;
    await letOthersIn();
  }
}

export async function listImportsBefore({ kysely }: Database, moment: Date): Promise<string[]> {
  const rows = await kysely
    .selectFrom('list_import')
    .select('id')
    .where('created_at', '<', moment)
    .where('state', '<>', 'importing')
    .execute();
  return rows.map(({ id }) => id);
}

/** Imports that are done, and still have a file or rows: their server stopped before the end. */
export async function listWithLeftContents({ kysely }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from list_import
    where state = 'imported' and (
      exists (select from list_import_row where import_id = list_import.id)
      or exists (select from list_import_chunk where import_id = list_import.id))
  `.execute(kysely);
  return rows.map(({ id }) => id);
}
