/** The operator's calls about offers, and the shop's about passes. */
import {
  OfferFigures,
  RedeemedPass,
  RedeemRequest,
} from '../../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { getOfferFigures } from '../../drop/offers/get-figures.ts';
import { redeemPass } from '../../drop/offers/passes.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { recordAudit } from '../audit/record-audit.ts';

const TAGS = ['Offers'];

export function addOfferRoutes(
  server: HttpServer,
  { database }: { readonly database: Database },
): void {
  server.get(
    operatorPaths.offers,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'How the offers of the last drop stand',
        response: { 200: OfferFigures },
      },
    },
    () => getOfferFigures(database),
  );

  server.post(
    operatorPaths.redeemPass,
    {
      config: { access: 'redeem' },
      schema: {
        tags: TAGS,
        summary: 'Use up a pass',
        description:
          'For the shop, before it accepts an order. Idempotent: the same order gets the same ' +
          'answer again. Another order of the same pass, and a cancelled pass, get 409.',
        body: RedeemRequest,
        response: { 200: RedeemedPass, 404: ErrorBody, 409: ErrorBody, ...REFUSED_BODY },
      },
    },
    ({ actor, body }) =>
      inTransaction(database, async (transaction): Promise<RedeemedPass> => {
        const { offer, hasChanged } = await redeemPass(transaction, body);
        const { member_id, size, redeemed_at: at } = offer;
        if (hasChanged)
          await recordAudit(transaction, {
            actor,
            action: 'redeem-pass',
            subject: { kind: 'member', id: member_id },
            reason: null,
            details: { summary: `A pass for a mask of size ${size} was redeemed.` },
          });
        return { size, member_id, order: body.order, redeemed_at: at?.toISOString() ?? '' };
      }),
  );
}
