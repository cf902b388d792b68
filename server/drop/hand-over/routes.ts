import { Readable } from 'node:stream';
import { DropFileParams, DropFileRequest } from '../../../contract/operator/drop/drop-files.ts';
import {
  OrderExportRequest,
  OrderReport,
  OrderReportRequest,
} from '../../../contract/operator/drop/orders.ts';
import { ImportPath } from '../../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import { CSV_FILE, CSV_TYPE, nameFile, type OpenDownload } from '../../backup/downloads.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import { getDropNumber } from '../steps/drop-state.ts';
import { exportFindings, reportOrders } from './compare-orders.ts';
import { openDropFile } from './drop-files.ts';

const route = operatorRoutes('Hand-over');

export function addHandOverRoutes(
  server: HttpServer,
  { database, brand }: Platform,
  openDownload: OpenDownload,
): void {
  server.get(
    operatorPaths.exportDrop,
    route('export', 'A file of a drop as CSV, of one moment', {
      description:
        'Cells that a spreadsheet would take for a formula begin with an apostrophe, as in all ' +
        'exports: in the files for a shop, too.',
      params: DropFileParams,
      querystring: DropFileRequest,
      response: { 200: CSV_FILE, 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ params: { file }, query }, reply) => {
      const drop = await getDropNumber(database, query.drop);
      const options = { brand: brand.name, drop, isAsked: query.drop !== undefined };
      const chunks = await openDropFile(database, file, options);
      nameFile(reply, `drop-${drop}-${file}.csv`, CSV_TYPE);
      return Readable.from(chunks, { objectMode: false });
    },
  );

  server.get(
    operatorPaths.importOrders,
    route('owner', 'Compare the orders of an uploaded file with the passes', {
      description:
        'The file is uploaded like a list of members. Nothing is changed: the change ' +
        '`reconcile` applies it. The file is read anew for each page.',
      params: ImportPath,
      querystring: OrderReportRequest,
      response: { 200: OrderReport, 404: ErrorBody, 409: ErrorBody, 422: ErrorBody },
    }),
    ({ params, query }) =>
      reportOrders(database, { ...params, ...query }, { after: Number(query.after ?? 0) }),
  );

  server.get(
    operatorPaths.exportOrders,
    route('owner', 'The same as CSV: what was found about every order, pass and row', {
      description: 'One backup or export at a time: 409 while another is running.',
      params: ImportPath,
      querystring: OrderExportRequest,
      response: { 200: CSV_FILE, 404: ErrorBody, 409: ErrorBody, 422: ErrorBody },
    }),
    async (request, reply) => {
      const findings = exportFindings(database, { ...request.params, ...request.query });
      const file = await openDownload(request, findings);
      nameFile(reply, 'orders.csv', CSV_TYPE);
      return file;
    },
  );
}
