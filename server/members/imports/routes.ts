import {
  ImportPath,
  ListImport,
  ListImports,
  ReportPage,
} from '../../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { NOTHING, operatorRoutes } from '../../access/route-schemas.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { invalidField } from '../../problem.ts';
import {
  beginImport,
  discardImport,
  getImport,
  listImports,
  receiveChunk,
} from './receive-import.ts';
import { readReport } from './report.ts';
import type { Walks } from './walk-import.ts';

const route = operatorRoutes('Imports');
const REFUSED = { 404: ErrorBody, 409: ErrorBody, ...REFUSED_BODY };
const CHUNK_BODY_BYTES = 400 * 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function addImportRoutes(
  server: HttpServer,
  { database, walks }: { readonly database: Database; readonly walks: Walks },
): void {
  server.post(
    operatorPaths.imports,
    route('owner', 'POST imports', {
      description:
        'Its file follows in chunks, with 200,000 rows at most. It is deleted after a day.',
      response: { 201: ListImport, 409: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ body }) => await beginImport(database, body),
  );
  server.get(
    operatorPaths.imports,
    route('owner', 'GET imports', { response: { 200: ListImports } }),
    async () => ({ imports: await listImports(database) }),
  );
  server.get(
    operatorPaths.listImport,
    route('owner', 'GET listImport', {
      params: ImportPath,
      response: { 200: ListImport, 404: ErrorBody },
    }),
    ({ params }) => getImport(database, params.importId),
  );
  server.post(
    operatorPaths.importChunks,
    {
      ...route('owner', 'POST importChunks', {
        description: 'After the last one, the answer has the columns of the file.',
        params: ImportPath,
        response: { 200: ListImport, ...REFUSED },
      }),
      bodyLimit: CHUNK_BODY_BYTES,
    },
    async ({ params, body }, reply) => {
      if (!BASE64.test(body.base64)) throw invalidField('The chunk is not in base 64.');
      reply.raw.socket?.setTimeout?.(0);
      return await receiveChunk(database, params.importId, {
        firstByte: body.first_byte,
        bytes: Buffer.from(body.base64, 'base64'),
      });
    },
  );
  server.put(
    operatorPaths.importMapping,
    route('owner', 'PUT importMapping', {
      description: 'Changes nobody: a dry run, which goes on after the answer.',
      params: ImportPath,
      response: { 200: ListImport, ...REFUSED },
    }),
    ({ params, body }) => walks.beginCheck(params.importId, body),
  );
  server.get(
    operatorPaths.importReport,
    route('owner', 'GET importReport', {
      params: ImportPath,
      response: { 200: ReportPage, 404: ErrorBody, 422: ErrorBody },
    }),
    ({ params, query }) => readReport(database, params.importId, Number(query.after ?? 0)),
  );
  server.delete(
    operatorPaths.listImport,
    route('owner', 'DELETE listImport', {
      params: ImportPath,
      response: { 204: NOTHING, 404: ErrorBody },
    }),
    async ({ params }) => {
      await discardImport(database, params.importId);
    },
  );
}
