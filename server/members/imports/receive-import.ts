/** The upload of a file in chunks, which can go on after a broken connection or a new start. */
import { createHash } from 'node:crypto';
import type { ListImport } from '../../../contract/operator/imports/list-import.ts';
import { type CsvRecord, readCsv } from '../../csv/read-csv.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DAY_MS } from '../../durations.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { describeFile } from './describe-file.ts';
import {
  beginDescription,
  deleteImports,
  dropContents,
  explainState,
  type ImportRecord,
  insertChunk,
  insertImport,
  lockImport,
  readChunks,
  readImport,
  readImports,
  updateImport,
} from './import-store.ts';
import { deleteOldPieces } from './run-store.ts';

const KEPT_FOR_MS = DAY_MS;
const MAX_IMPORTS = 10;
/** Matches too much on purpose: the audit log keeps the name of the file, and no address. */
const ADDRESS = /\S+@\S+/g;

export async function beginImport(
  database: Database,
  { file_name, bytes }: { file_name: string; bytes: number },
): Promise<ListImport> {
  const others = await readImports(database);
  if (others.filter(({ state }) => !/^(?:imported|refused)$/.test(state)).length >= MAX_IMPORTS)
    throw conflict(`There are ${MAX_IMPORTS} imports that are not done: delete one of them first.`);
  return viewImport(await insertImport(database, { fileName: plainName(file_name), bytes }));
}

export async function receiveChunk(
  database: Database,
  importId: string,
  { firstByte, bytes }: { firstByte: number; bytes: Uint8Array },
): Promise<ListImport> {
  await inTransaction(database, async (transaction) => {
    const { id, state, received, bytes: whole } = await lockImport(transaction, importId);
    if (state !== 'receiving' || firstByte !== received)
      throw conflict(`The file is here up to byte ${received}: go on from there.`);
    const end = received + bytes.length;
    if (bytes.length === 0 || end > whole)
      throw invalidField(`The file was announced with ${whole} bytes.`);
    await insertChunk(transaction, { importId: id, firstByte, bytes });
    await updateImport(transaction, { id }, { received: end });
  });
  return await getImport(database, importId);
}

export async function getImport(database: Database, importId: string): Promise<ListImport> {
  return viewImport(await readDescribed(database, importId));
}

export async function readUploaded(
  database: Database,
  importId: string,
): Promise<AsyncGenerator<CsvRecord>> {
  const { id, state, problem, file } = await readDescribed(database, importId);
  if (problem !== null) throw invalidField(problem);
  if (file === null) throw conflict(explainState(state));
  return readCsv(readChunks(database, id), file);
}

export async function listImports(database: Database): Promise<ListImport[]> {
  return (await readImports(database)).map(viewImport);
}

export async function discardImport(database: Database, importId: string): Promise<void> {
  const { id, state } = await readImport(database.kysely, importId);
  if (state === 'importing')
    throw conflict('This list is being imported: wait for the end, or undo it.');
  await deleteImports(database, { id });
}

export async function deleteOldImports(database: Database, now = new Date()): Promise<void> {
  await deleteImports(database, { before: new Date(now.getTime() - KEPT_FOR_MS) });
  await deleteOldPieces(database);
}

function viewImport(record: ImportRecord): ListImport {
  return { ...record, created_at: record.created_at.toISOString() };
}

/** Describes a file that is whole, anew as long as a member is forgotten meanwhile. */
async function readDescribed(database: Database, importId: string): Promise<ImportRecord> {
  for (;;) {
    const described = await beginDescription(database, importId);
    if (described === null) return await readImport(database.kysely, importId);
    const { id } = described;
    let hash = createHash('sha256');
    // The description opens the file several times, and reads it to its end the last time.
    async function* open() {
      hash = createHash('sha256');
      for await (const bytes of readChunks(database, id)) {
        hash.update(bytes);
        yield bytes;
      }
    }
    try {
      const format = await describeFile(open);
      const file = { ...format, sha256: hash.digest('hex') };
      const received = { state: 'received', description_id: null, file } as const;
      await updateImport(database.kysely, described, received);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const refused = { state: 'refused', problem: error.detail } as const;
      await updateImport(database.kysely, described, refused);
      await dropContents(database);
    }
  }
}

function plainName(fileName: string): string {
  const name = fileName
    .toWellFormed()
    .replaceAll(/\p{C}/gu, '')
    .replaceAll(ADDRESS, '(an address)');
  return name.trim() || 'list.csv';
}
