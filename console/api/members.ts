import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  ImportMapping,
  ListImport,
  ListImports,
  ReportPage,
} from '../../contract/operator/imports/list-import.ts';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type {
  MemberCount,
  MemberPage,
  MemberSort,
  Order,
} from '../../contract/operator/member-list.ts';
import type { Friends, MemberSheet, Note } from '../../contract/operator/member-sheet.ts';
import type { ExportFormat } from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { post, put, read, readPages, remove, withQuery } from './queries.ts';
import { requestFile } from './request.ts';

export type MemberQuestion = {
  readonly filter: MemberFilter;
  readonly sort: MemberSort;
  readonly order: Order;
};

export const memberPagesQuery = (question: MemberQuestion) =>
  infiniteQueryOptions({
    ...readPages<MemberPage>((after) => ({
      path: operatorPaths.listMembers,
      method: 'POST',
      body: { ...question, ...(after !== null && { after }) },
    })),
    // A refetch would load every page again, and move the rows while they are read.
    refetchOnWindowFocus: false,
  });

export const memberCountQuery = (filter: MemberFilter) =>
  read<MemberCount>({
    path: operatorPaths.countMembers,
    method: 'POST',
    body: { filter },
  });

export const memberSheetQuery = (id: string) =>
  read<MemberSheet>(fillPath(operatorPaths.member, id));

export const friendsQuery = (id: string) =>
  readPages<Friends>((after) => withQuery(fillPath(operatorPaths.friends, id), { after }));

export const addNote = (memberId: string, body: string) =>
  post<Note>(fillPath(operatorPaths.notes, memberId), { body });
export const editNote = (memberId: string, noteId: string, body: string) =>
  put<Note>(fillPath(operatorPaths.note, memberId, noteId), { body });
export const deleteNote = (memberId: string, noteId: string) =>
  remove(fillPath(operatorPaths.note, memberId, noteId));

export const exportMembers = (filter: MemberFilter, format: ExportFormat) =>
  requestFile({
    path: operatorPaths.exportMembers,
    method: 'POST',
    body: { filter, format },
  });

/** A chunk stays below the server's limit. */
const CHUNK_BYTES = 192 * 1024;
const CHUNK_TIMEOUT_MS = 120_000;
const POLL_MS = 500;

export const importsQuery = read<ListImports>(operatorPaths.imports);

export const importQuery = (id: string) =>
  queryOptions({
    ...read<ListImport>(fillPath(operatorPaths.listImport, id)),
    refetchInterval: ({ state }) =>
      ['checking', 'importing'].includes(state.data?.state ?? '') ? POLL_MS : false,
  });

export const reportQuery = (id: string) =>
  readPages<ReportPage>((after) => withQuery(fillPath(operatorPaths.importReport, id), { after }));

export async function uploadList(
  file: File,
  onProgress: (bytes: number) => void,
): Promise<ListImport> {
  const wanted = { file_name: file.name, bytes: file.size };
  let now = await post<ListImport>(operatorPaths.imports, wanted);
  while (now.received < file.size) {
    const chunk = await file.slice(now.received, now.received + CHUNK_BYTES).arrayBuffer();
    now = await post<ListImport>(
      fillPath(operatorPaths.importChunks, now.id),
      { first_byte: now.received, base64: toBase64(new Uint8Array(chunk)) },
      CHUNK_TIMEOUT_MS,
    );
    onProgress(now.received);
  }
  return now;
}

export const checkList = (id: string, mapping: ImportMapping) =>
  put<ListImport>(fillPath(operatorPaths.importMapping, id), mapping);

/** The oldest browsers have no Uint8Array.toBase64. */
function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
