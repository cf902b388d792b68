import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ExportMembersRequest } from '../../../contract/operator/member-list.ts';
import type { ExportFormat } from '../../../contract/operator/members.ts';
import { addCall } from '../../access/add-call.ts';
import { CSV_TYPE, nameFile, type OpenDownload } from '../../backup/downloads.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import { exportLine } from './export-line.ts';

const MEDIA_TYPES = {
  csv: CSV_TYPE,
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const satisfies Record<ExportFormat, string>;

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

  addCall(server, 'GET exportMembers', (request, reply) => send(request, reply, request.query));
  addCall(server, 'POST exportMembers', (request, reply) => send(request, reply, request.body));
}
