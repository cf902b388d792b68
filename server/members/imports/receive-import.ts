/** Lists to import, whose files come in chunks, also after a broken connection or a new start. */
import type {
  ImportMapping,
  ListImport,
  ReportPage,
} from '../../../contract/operator/imports/list-import.ts';
import { addCall } from '../../access/add-call.ts';
import { type CsvRecord, readCsv } from '../../csv/read-csv.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DAY_MS } from '../../durations.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import type { FileDescription } from './describe-file.ts';
import {
  deleteImports,
  explainState,
  type ImportRecord,
  insertChunk,
  insertImport,
  lockImport,
  readChunks,
  readImport,
  readImports,
  readLines,
  updateImport,
} from './import-store.ts';
import { deleteOldPieces } from './run-store.ts';
import type { Walks } from './walk-import.ts';

const CHUNK_BODY_BYTES = 400 * 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PAGE_SIZE = 100;
const KEPT_FOR_MS = DAY_MS;
const MAX_IMPORTS = 10;
/** Matches too much on purpose: the audit log keeps the name of the file, and no address. */
const ADDRESS = /\S+@\S+/g;

export function addImportRoutes(server: HttpServer, walks: Walks): void {
  const { database } = walks;
  addCall(server, 'POST imports', ({ body }) => beginImport(database, body));
  addCall(server, 'GET imports', async () => {
    return { imports: (await readImports(database)).map(viewImport) };
  });
  addCall(server, 'GET listImport', ({ params }) => getImport(walks, params.importId));
  addCall(
    server,
    'POST importChunks',
    async ({ params, body }, reply) => {
      if (!BASE64.test(body.base64)) throw invalidField('The chunk is not in base 64.');
      reply.raw.socket?.setTimeout?.(0);
      const bytes = Buffer.from(body.base64, 'base64');
      return await receiveChunk(walks, params.importId, { firstByte: body.first_byte, bytes });
    },
    { bodyLimit: CHUNK_BODY_BYTES },
  );
  addCall(server, 'PUT importMapping', ({ params, body }) =>
    beginCheck(walks, params.importId, body),
  );
  addCall(server, 'GET importReport', ({ params, query }) =>
    readReport(database, params.importId, Number(query.after ?? 0)),
  );
  addCall(server, 'DELETE listImport', ({ params }) => discardImport(database, params.importId));
}

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
  walks: Walks,
  importId: string,
  { firstByte, bytes }: { firstByte: number; bytes: Uint8Array },
): Promise<ListImport> {
  await inTransaction(walks.database, async (transaction) => {
    const { id, state, received, bytes: whole } = await lockImport(transaction, importId);
    if (state !== 'receiving' || firstByte !== received)
      throw conflict(`The file is here up to byte ${received}: go on from there.`);
    const end = received + bytes.length;
    if (bytes.length === 0 || end > whole)
      throw invalidField(`The file was announced with ${whole} bytes.`);
    await insertChunk(transaction, { importId: id, firstByte, bytes });
    await updateImport(transaction, id, { received: end });
    if (end === whole) await walks.lists.begin(transaction, id, {});
  });
  return await getImport(walks, importId);
}

/** A file that is whole is described before. */
export async function getImport(
  { database: { kysely }, lists }: Walks,
  importId: string,
): Promise<ListImport> {
  const found = await readImport(kysely, importId);
  if (!isBeingDescribed(found)) return viewImport(found);
  await lists.finish(found.id);
  const described = await readImport(kysely, importId);
  if (!isBeingDescribed(described)) return viewImport(described);
  throw new Problem('unavailable', 'The file is being read. Please look again later.');
}

/** Checks the rows with these columns. The check goes on after the answer. */
export async function beginCheck(
  walks: Walks,
  importId: string,
  mapping: ImportMapping,
): Promise<ListImport> {
  const { database, lists } = walks;
  const { id } = await getImport(walks, importId);
  await inTransaction(database, async (transaction) => {
    // The work is locked before the list, as a step of an earlier check locks them.
    await lists.begin(transaction, id, {});
    const { state, file } = await lockImport(transaction, id);
    if (file === null || !['received', 'checking', 'checked'].includes(state))
      throw conflict(explainState(state));
    assertMapping(mapping, file);
    const reset = { read_bytes: 0, report: null };
    await updateImport(transaction, id, { state: 'checking', mapping, ...reset });
  });
  const view = await getImport(walks, id);
  // What it fails with is logged, and any server checks it again.
  lists.finish(id).catch(() => {});
  return view;
}

export async function readUploaded(
  database: Database,
  importId: string,
): Promise<AsyncGenerator<CsvRecord>> {
  const { id, state, problem, file } = await readImport(database.kysely, importId);
  if (problem !== null) throw invalidField(problem);
  if (file === null) throw conflict(explainState(state));
  return readCsv(readChunks(database, id), file);
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

async function readReport(
  database: Database,
  importId: string,
  after: number,
): Promise<ReportPage> {
  const { id } = await readImport(database.kysely, importId);
  const lines = await readLines(database, { importId: id, after, limit: PAGE_SIZE + 1 });
  const { shown, next } = pageOf(lines, PAGE_SIZE, ({ line }) => line);
  return { lines: shown, next };
}

function viewImport(record: ImportRecord): ListImport {
  return { ...record, created_at: record.created_at.toISOString() };
}

function isBeingDescribed({ state, received, bytes }: ImportRecord): boolean {
  return state === 'receiving' && received === bytes;
}

function assertMapping({ columns, order }: ImportMapping, file: FileDescription): void {
  const used = Object.values(columns);
  if (used.some((column) => column >= file.columns.length))
    throw invalidField(`The file has ${file.columns.length} columns.`);
  if (new Set(used).size < used.length)
    throw invalidField('A column of the file can be used for one field only.');
  if (order === 'joined_at' && columns.joined_at === undefined)
    throw invalidField('Say which column has the time of joining, to order by it.');
}

function plainName(fileName: string): string {
  const name = fileName
    .toWellFormed()
    .replaceAll(/\p{C}/gu, '')
    .replaceAll(ADDRESS, '(an address)');
  return name.trim() || 'list.csv';
}
