import { Readable } from 'node:stream';
import { DropFileParams } from '../../../contract/operator/drop/drop-files.ts';
import { DoorPasses, RedeemedPass, ScannedPass } from '../../../contract/operator/drop/offers.ts';
import { OrderReport } from '../../../contract/operator/drop/orders.ts';
import { ImportPath } from '../../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { recordAccess } from '../../access/audit/record-audit.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import { CSV_FILE, CSV_TYPE, nameFile, type OpenDownload } from '../../backup/downloads.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import { getDropNumber } from '../drop-store.ts';
import { countDoorPasses } from '../offers/offer-store.ts';
import { redeemPass } from '../passes/passes.ts';
import { tellsUnpaid } from '../till/account-store.ts';
import type { Tills } from '../till/open-tills.ts';
import { exportFindings, reportOrders } from './compare-orders.ts';
import { openDropFile } from './drop-files.ts';
import { scanPass, undoScan } from './scan-pass.ts';

const route = operatorRoutes('Hand-over');
const offersRoute = operatorRoutes('Offers');

export function addHandOverRoutes(
  server: HttpServer,
  { database, brand }: Platform,
  openDownload: OpenDownload,
): void {
  server.get(
    operatorPaths.exportDrop,
    route('export', 'GET exportDrop', {
      description:
        'Cells that a spreadsheet would take for a formula begin with an apostrophe, as in all ' +
        'exports: in the files for a shop, too.',
      params: DropFileParams,
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
    route('owner', 'GET importOrders', {
      description:
        'The file is uploaded like a list of members. Nothing is changed: the change ' +
        '`reconcile` applies it. The file is read anew for each page.',
      params: ImportPath,
      response: { 200: OrderReport, 404: ErrorBody, 409: ErrorBody, 422: ErrorBody },
    }),
    ({ params, query }) =>
      reportOrders(database, { ...params, ...query }, { after: Number(query.after ?? 0) }),
  );

  server.get(
    operatorPaths.exportOrders,
    route('owner', 'GET exportOrders', {
      description: 'One backup or export at a time: 409 while another is running.',
      params: ImportPath,
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

export function addPassRoutes(
  server: HttpServer,
  { database, tills }: Pick<Platform, 'database'> & { readonly tills: Tills },
): void {
  const isPaidKnown = async () => tellsUnpaid(await tills.chosen());

  server.post(
    operatorPaths.redeemPass,
    offersRoute('redeem', 'POST redeemPass', {
      description:
        'For the shop, before it accepts an order. Idempotent: the same order gets the same ' +
        'answer again. Another order of the same pass, and a pass that is cancelled or was used ' +
        'at a door, get 409.',
      response: { 200: RedeemedPass, 404: ErrorBody, 409: ErrorBody, ...REFUSED_BODY },
    }),
    ({ actor, body }) =>
      inTransaction(database, async (transaction): Promise<RedeemedPass> => {
        const { offer, hasChanged } = await redeemPass(transaction, body);
        const { member_id, size, paid_at: at } = offer;
        const holder = { kind: 'member', id: member_id };
        const summary = `A pass for a mask of size ${size} was paid.`;
        if (hasChanged) await recordAccess(transaction, actor, 'redeem-pass', holder, summary);
        return { size, member_id, order: body.order, redeemed_at: at?.toISOString() ?? '' };
      }),
  );

  server.get(
    operatorPaths.doorPasses,
    offersRoute('redeem', 'GET doorPasses', {
      response: { 200: DoorPasses },
    }),
    async () => ({ passes: await countDoorPasses(database) }),
  );

  server.post(
    operatorPaths.scanPass,
    offersRoute('redeem', 'POST scanPass', {
      description:
        'Idempotent for a scan. Of two scans the first to arrive gets the mask. Where the till ' +
        'says what is paid, only that is handed over.',
      response: { 200: ScannedPass, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, body }) => {
      const door = { actor, onlyPaid: await isPaidKnown() };
      return await inTransaction(database, (transaction) => scanPass(transaction, body, door));
    },
  );

  server.post(
    operatorPaths.undoScan,
    offersRoute('redeem', 'POST undoScan', {
      description: 'Idempotent. After a minute: 409.',
      response: { 200: ScannedPass, 404: ErrorBody, 409: ErrorBody, ...REFUSED_BODY },
    }),
    ({ actor, body }) =>
      inTransaction(database, (transaction) => undoScan(transaction, body, actor)),
  );
}
