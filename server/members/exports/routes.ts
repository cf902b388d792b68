import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type ExportMembersRequest, ListedMember } from '../../../contract/operator/member-list.ts';
import type { ExportFormat } from '../../../contract/operator/members.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import { CSV_FILE, CSV_TYPE, nameFile, type OpenDownload } from '../../backup/downloads.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import { exportLine } from './export-line.ts';

const MEDIA_TYPES = {
  csv: CSV_TYPE,
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const satisfies Record<ExportFormat, string>;

const route = operatorRoutes('Members');
const description = 'One backup or export at a time: 409 while another is running.';
const FILE = {
  200: {
    content: {
      ...CSV_FILE.content,
      'application/json': { schema: Type.Unsafe<Readable>(Type.Array(ListedMember)) },
      'application/jsonl': { schema: Type.Unsafe<Readable>(Type.String()) },
    },
  },
  409: ErrorBody,
  422: ErrorBody,
} as const;

export function addExportRoutes(
  server: HttpServer,
  { database, brand, config }: Platform,
  openDownload: OpenDownload,
): void {
  async function send(
    request: Pick<FastifyRequest, 'raw'>,
    reply: FastifyReply,
    { format = 'csv', ...wanted }: Static<typeof ExportMembersRequest>,
  ): Promise<Readable> {
    const bytes = exportLine(database, { ...wanted, format, brand, dataDir: config.dataDir });
    const file = await openDownload(request, bytes);
    nameFile(reply, `waitlist.${format}`, MEDIA_TYPES[format]);
    return file;
  }

  server.get(
    operatorPaths.exportMembers,
    route('export', 'GET exportMembers', {
      description,
      response: FILE,
    }),
    (request, reply) => send(request, reply, request.query),
  );
  server.post(
    operatorPaths.exportMembers,
    route('export', 'POST exportMembers', {
      description,
      response: { ...FILE, ...REFUSED_BODY },
    }),
    (request, reply) => send(request, reply, request.body),
  );
}
