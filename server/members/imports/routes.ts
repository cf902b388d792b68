import { addCall } from '../../access/add-call.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { invalidField } from '../../problem.ts';
import {
  beginCheck,
  beginImport,
  discardImport,
  getImport,
  listImports,
  receiveChunk,
} from './receive-import.ts';
import { readReport } from './report.ts';
import type { Walks } from './walk-import.ts';

const CHUNK_BODY_BYTES = 400 * 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function addImportRoutes(server: HttpServer, walks: Walks): void {
  const { database } = walks;
  addCall(server, 'POST imports', async ({ body }) => await beginImport(database, body));
  addCall(server, 'GET imports', async () => ({ imports: await listImports(database) }));
  addCall(server, 'GET listImport', ({ params }) => getImport(walks, params.importId));
  addCall(
    server,
    'POST importChunks',
    async ({ params, body }, reply) => {
      if (!BASE64.test(body.base64)) throw invalidField('The chunk is not in base 64.');
      reply.raw.socket?.setTimeout?.(0);
      return await receiveChunk(walks, params.importId, {
        firstByte: body.first_byte,
        bytes: Buffer.from(body.base64, 'base64'),
      });
    },
    { bodyLimit: CHUNK_BODY_BYTES },
  );
  addCall(server, 'PUT importMapping', ({ params, body }) =>
    beginCheck(walks, params.importId, body),
  );
  addCall(server, 'GET importReport', ({ params, query }) =>
    readReport(database, params.importId, Number(query.after ?? 0)),
  );
  addCall(server, 'DELETE listImport', async ({ params }) => {
    await discardImport(database, params.importId);
  });
}
