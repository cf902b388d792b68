/** An import over the operator's API, as the console and the command line make it. */
import type {
  ImportMapping,
  ListImport,
  ReportPage,
} from '../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { OPERATOR_TOKEN } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const CHUNK_BYTES = 100_000;

export const STATED = { may_mail: true, confirmed: true, mail: 'none' } as const;

export type ImportCalls = ReturnType<typeof openImportCalls>;

export function openImportCalls({ fastify }: Pick<App, 'fastify'>) {
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    fastify.inject({ method, url, headers: HEADERS, ...(payload && { payload }) });

  /** The import with its file as far as `bytes` go. */
  async function upload(
    bytes: Buffer | string,
    { fileName = 'list.csv' }: { fileName?: string } = {},
  ): Promise<ListImport> {
    const file = Buffer.from(bytes as string);
    const begun = await call('POST', operatorPaths.imports, {
      file_name: fileName,
      bytes: file.length,
    });
    let last = begun.json() as ListImport;
    for (let from = 0; from < file.length; from += CHUNK_BYTES)
      last = (await sendChunk(last.id, from, file.subarray(from, from + CHUNK_BYTES))).json();
    return last;
  }

  const sendChunk = (id: string, firstByte: number, bytes: Uint8Array) =>
    call('POST', fillPath(operatorPaths.importChunks, id), {
      first_byte: firstByte,
      base64: Buffer.from(bytes).toString('base64'),
    });

  const map = (id: string, mapping: ImportMapping) =>
    call('PUT', fillPath(operatorPaths.importMapping, id), mapping);

  const read = async (id: string): Promise<ListImport> =>
    (await call('GET', fillPath(operatorPaths.listImport, id))).json();

  /** After the check. */
  async function waitForCheck(id: string): Promise<ListImport> {
    for (;;) {
      const now = await read(id);
      if (now.state !== 'checking') return now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Uploads and checks with the columns that the names suggest, or with `mapping`. */
  async function check(
    bytes: Buffer | string,
    mapping: Partial<ImportMapping> = {},
  ): Promise<ListImport> {
    const { id, file } = await upload(bytes);
    const suggested = (file?.columns ?? []).flatMap((column, index) =>
      column.suggested === null ? [] : [[column.suggested, index]],
    );
    await map(id, { columns: Object.fromEntries(suggested), order: 'file', ...mapping });
    return await waitForCheck(id);
  }

  async function report(id: string): Promise<ReportPage['lines']> {
    const lines: ReportPage['lines'] = [];
    let after = 0;
    for (;;) {
      const url = `${fillPath(operatorPaths.importReport, id)}?after=${after}`;
      const page = (await call('GET', url)).json() as ReportPage;
      lines.push(...page.lines);
      if (page.next === null) return lines;
      after = page.next;
    }
  }

  const preview = (id: string, input: object = STATED) =>
    call('POST', operatorPaths.previewChange, {
      kind: 'import-members',
      input: { import_id: id, ...input },
    });

  const apply = (id: string, input: object = STATED) =>
    call('POST', operatorPaths.changes, {
      kind: 'import-members',
      input: { import_id: id, ...input },
      reason: 'moving from the old tool',
    });

  const undo = (change: number) =>
    call('POST', fillPath(operatorPaths.undoChange, String(change)), { reason: 'a mistake' });

  return { call, upload, sendChunk, map, read, waitForCheck, check, report, preview, apply, undo };
}
