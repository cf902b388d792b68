/** Calls about imports of existing lists. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ChangeInput, ChangePreview, MadeChange } from '../../contract/operator/changes.ts';
import type {
  ImportMapping,
  ListImport,
  ListImports,
  ReportPage,
} from '../../contract/operator/imports/list-import.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { request } from './request.ts';

/** Below the server's limit for one chunk. */
const CHUNK_BYTES = 192 * 1024;
const POLL_MS = 500;
/** The answer comes when all members have joined, or have left again. */
const IMPORT_TIMEOUT_MS = 120_000;

type Input = ChangeInput<'import-members'>;

/** Of the last day, newest first. */
export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => request<ListImports>({ path: operatorPaths.imports, signal }),
});

/** Asked again while its rows are checked, or join. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', id],
    queryFn: ({ signal }) =>
      request<ListImport>({ path: fillPath(operatorPaths.listImport, id), signal }),
    refetchInterval: ({ state }) =>
      ['checking', 'importing'].includes(state.data?.state ?? '') ? POLL_MS : false,
  });

/** Rows with a fault or a note, a hundred at a time. */
export const reportQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['imports', id, 'report'],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) =>
      request<ReportPage>({
        path: `${fillPath(operatorPaths.importReport, id)}?after=${pageParam}`,
        signal,
      }),
    getNextPageParam: ({ next }) => next,
  });

/** What the import would do, in sentences. */
export const importPreviewQuery = (input: Input) =>
  queryOptions({
    queryKey: ['imports', input.import_id, 'preview', input],
    queryFn: ({ signal }) =>
      request<ChangePreview>({
        path: operatorPaths.previewChange,
        method: 'POST',
        body: { kind: 'import-members', input },
        signal,
      }),
  });

/** In chunks; `onProgress` gets the number of bytes that have arrived. */
export async function uploadList(
  file: File,
  onProgress: (bytes: number) => void,
): Promise<ListImport> {
  let now = await request<ListImport>({
    path: operatorPaths.imports,
    method: 'POST',
    body: { file_name: file.name, bytes: file.size },
  });
  while (now.received < file.size) {
    const chunk = await file.slice(now.received, now.received + CHUNK_BYTES).arrayBuffer();
    now = await request({
      path: fillPath(operatorPaths.importChunks, now.id),
      method: 'POST',
      body: { first_byte: now.received, base64: toBase64(new Uint8Array(chunk)) },
      timeoutMs: IMPORT_TIMEOUT_MS,
    });
    onProgress(now.received);
  }
  return now;
}

export function checkList(id: string, mapping: ImportMapping): Promise<ListImport> {
  const path = fillPath(operatorPaths.importMapping, id);
  return request({ path, method: 'PUT', body: mapping });
}

export function importMembers(input: Input, reason: string): Promise<MadeChange> {
  return request({
    path: operatorPaths.changes,
    method: 'POST',
    body: { kind: 'import-members', input, reason },
    timeoutMs: IMPORT_TIMEOUT_MS,
  });
}

export function undoImport(change: number, reason: string): Promise<MadeChange> {
  return request({
    path: fillPath(operatorPaths.undoChange, String(change)),
    method: 'POST',
    body: { reason },
    timeoutMs: IMPORT_TIMEOUT_MS,
  });
}

/** By hand, because the oldest browsers have no Uint8Array.toBase64. */
function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
