import { Type } from 'typebox';
import { DropFacts, MemberDrop } from '../../../contract/operator/drop/drop-facts.ts';
import { OfferListRequest, OfferPage } from '../../../contract/operator/drop/listed-offers.ts';
import {
  DoorPasses,
  OfferFigures,
  RedeemedPass,
  RedeemRequest,
  ScannedPass,
  ScanRequest,
  UndoScanRequest,
} from '../../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import { recordAudit } from '../../changes/audit/record-audit.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import type { Platform } from '../../module.ts';
import type { Tills } from '../till/open-tills.ts';
import { tellsUnpaid } from '../till/view-checkout.ts';
import { getDropFacts } from '../views/drop-facts.ts';
import { getMemberDrop, listOffers } from '../views/list-offers.ts';
import { getOfferFigures } from './get-offers.ts';
import { countDoorPasses } from './pass-store.ts';
import { redeemPass } from './passes.ts';
import { scanPass, undoScan } from './scan-pass.ts';

const route = operatorRoutes('Offers');

export function addOfferRoutes(
  server: HttpServer,
  { database, brand, tills }: Platform & { readonly tills: Tills },
): void {
  const isPaidKnown = async () => tellsUnpaid(await tills.chosen());

  server.get(
    operatorPaths.drop,
    route('read', 'How the last drop stands', {
      response: { 200: DropFacts },
    }),
    () => getDropFacts(database),
  );

  server.post(
    operatorPaths.listOffers,
    route('read', 'Offers of the last drop, in pages', {
      body: OfferListRequest,
      response: { 200: OfferPage, ...REFUSED_BODY },
    }),
    ({ body, may }) => listOffers(database, body, { showsCodes: may.has('write') }),
  );

  server.get(
    operatorPaths.memberDrop,
    route('read', 'The drop as it concerns one member: sizes, offers, rewards', {
      params: Type.Object({ memberId: Type.String() }),
      response: { 200: MemberDrop, 404: ErrorBody },
    }),
    async ({ params, may }) => {
      const memberId = readMemberId(params.memberId);
      const options = { tiers: brand.tiers, showsCodes: may.has('write') };
      const found = memberId && (await getMemberDrop(database, memberId, options));
      if (!found) throw unknownMember();
      return found;
    },
  );

  server.get(
    operatorPaths.offers,
    route('read', 'How the offers of the last drop stand', {
      response: { 200: OfferFigures },
    }),
    () => getOfferFigures(database),
  );

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
        if (hasChanged)
          await recordAudit(transaction, {
            actor,
            action: 'redeem-pass',
            subject: { kind: 'member', id: member_id },
            reason: null,
            details: { summary: `A pass for a mask of size ${size} was paid.` },
          });
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
