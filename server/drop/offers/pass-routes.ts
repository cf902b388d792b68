import {
  DoorPasses,
  RedeemedPass,
  RedeemRequest,
  ScannedPass,
  ScanRequest,
  UndoScanRequest,
} from '../../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import { recordAccess } from '../../changes/audit/record-audit.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import type { Tills } from '../till/open-tills.ts';
import { tellsUnpaid } from '../till/view-checkout.ts';
import { countDoorPasses } from './offer-store.ts';
import { redeemPass } from './passes.ts';
import { scanPass, undoScan } from './scan-pass.ts';

const route = operatorRoutes('Offers');

export function addPassRoutes(
  server: HttpServer,
  { database, tills }: Pick<Platform, 'database'> & { readonly tills: Tills },
): void {
  const isPaidKnown = async () => tellsUnpaid(await tills.chosen());

  server.post(
    operatorPaths.redeemPass,
    route('redeem', 'Pay a pass by an order', {
      description:
        'For the shop, before it accepts an order. Idempotent: the same order gets the same ' +
        'answer again. Another order of the same pass, and a pass that is cancelled or was used ' +
        'at a door, get 409.',
      body: RedeemRequest,
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
    route('redeem', 'Passes of each drop, the last drop first, and how many are used', {
      response: { 200: DoorPasses },
    }),
    async () => ({ passes: await countDoorPasses(database) }),
  );

  server.post(
    operatorPaths.scanPass,
    route('redeem', 'Hand over the mask of a pass at a door, and say whose it is', {
      description:
        'Idempotent for a scan. Of two scans the first to arrive gets the mask. Where the till ' +
        'says what is paid, only that is handed over.',
      body: ScanRequest,
      response: { 200: ScannedPass, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, body }) => {
      const door = { actor, onlyPaid: await isPaidKnown() };
      return await inTransaction(database, (one) => scanPass(one, body, door));
    },
  );

  server.post(
    operatorPaths.undoScan,
    route('redeem', 'Undo a scan within a minute of the hand-over', {
      description: 'Idempotent. After a minute: 409.',
      body: UndoScanRequest,
      response: { 200: ScannedPass, 404: ErrorBody, 409: ErrorBody, ...REFUSED_BODY },
    }),
    ({ actor, body }) => inTransaction(database, (one) => undoScan(one, body, actor)),
  );
}
