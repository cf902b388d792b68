import { Readable } from 'node:stream';
import type { RedeemedPass } from '../../../contract/operator/drop/offers.ts';
import { addCall } from '../../access/add-call.ts';
import { recordAccess } from '../../access/audit/record-audit.ts';
import { CSV_TYPE, nameFile, type OpenDownload } from '../../backup/downloads.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import { getDropNumber } from '../drop-store.ts';
import { countDoorPasses } from '../offers/offer-store.ts';
import { redeemPass } from '../passes/passes.ts';
import { tellsUnpaid } from '../till/account-store.ts';
import type { Tills } from '../till/open-tills.ts';
import { openDropFile } from './drop-files.ts';
import { exportFindings, reportOrders } from './reconcile.ts';
import { scanPass, undoScan } from './scan-pass.ts';

export function addHandOverRoutes(
  server: HttpServer,
  { database, brand }: Platform,
  openDownload: OpenDownload,
): void {
  addCall(server, 'GET exportDrop', async ({ params: { file }, query }, reply) => {
    const drop = await getDropNumber(database, query.drop);
    const options = { brand: brand.name, drop, isAsked: query.drop !== undefined };
    const chunks = await openDropFile(database, file, options);
    nameFile(reply, `drop-${drop}-${file}.csv`, CSV_TYPE);
    return Readable.from(chunks, { objectMode: false });
  });

  addCall(server, 'GET importOrders', ({ params, query }) =>
    reportOrders(database, { ...params, ...query }, { after: Number(query.after ?? 0) }),
  );

  addCall(server, 'GET exportOrders', async (request, reply) => {
    const findings = exportFindings(database, { ...request.params, ...request.query });
    const file = await openDownload(request, findings);
    nameFile(reply, 'orders.csv', CSV_TYPE);
    return file;
  });
}

export function addPassRoutes(
  server: HttpServer,
  { database, tills }: Pick<Platform, 'database'> & { readonly tills: Tills },
): void {
  const isPaidKnown = async () => tellsUnpaid(await tills.chosen());

  addCall(server, 'POST redeemPass', ({ actor, body }) =>
    inTransaction(database, async (transaction): Promise<RedeemedPass> => {
      const { offer, hasChanged } = await redeemPass(transaction, body);
      const { member_id, size, paid_at: at } = offer;
      const holder = { kind: 'member', id: member_id };
      const summary = `A pass for a mask of size ${size} was paid.`;
      if (hasChanged) await recordAccess(transaction, actor, 'redeem-pass', holder, summary);
      return { size, member_id, order: body.order, redeemed_at: at?.toISOString() ?? '' };
    }),
  );

  addCall(server, 'GET doorPasses', async () => ({ passes: await countDoorPasses(database) }));

  addCall(server, 'POST scanPass', async ({ actor, body }) => {
    const door = { actor, onlyPaid: await isPaidKnown() };
    return await inTransaction(database, (transaction) => scanPass(transaction, body, door));
  });

  addCall(server, 'POST undoScan', ({ actor, body }) =>
    inTransaction(database, (transaction) => undoScan(transaction, body, actor)),
  );
}
