/** The operator's calls that hand a drop over to the shop. */
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { DropFileParams, DropFileRequest } from '../../../contract/operator/drop/drop-files.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody } from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import { getDrop } from '../../drop/steps/drop-state.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';
import { openDropFile } from './drop-files.ts';

type HandOverOptions = { readonly database: Database; readonly brand: { readonly name: string } };

const TAGS = ['Hand-over'];

export function addHandOverRoutes(server: HttpServer, { database, brand }: HandOverOptions): void {
  server.get(
    operatorPaths.exportDrop,
    {
      config: { access: 'export' },
      schema: {
        tags: TAGS,
        summary: 'A file of a drop as CSV, of one moment',
        description:
          'Cells that a spreadsheet would take for a formula begin with an apostrophe, as in all ' +
          'exports: in the files for a shop, too.',
        params: DropFileParams,
        querystring: DropFileRequest,
        response: {
          200: { content: { 'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) } } },
          404: ErrorBody,
          422: ErrorBody,
        },
      },
    },
    async ({ params: { file }, query }, reply) => {
      const { number: last } = await getDrop(database);
      const drop = query.drop === undefined ? last : Number(query.drop);
      if (drop > last) throw new Problem('unknown_path', `There is no drop ${drop}.`);
      const chunks = await openDropFile(database, file, { brandName: brand.name, drop });
      reply.type('text/csv; charset=utf-8; header=present');
      reply.header('content-disposition', `attachment; filename="drop-${drop}-${file}.csv"`);
      return Readable.from(chunks, { objectMode: false });
    },
  );
}
