/** What the operator's API says about offers and passes. All times are ISO 8601 in UTC. */
import { type Static, Type } from 'typebox';
import { Count, Text } from '../../fields.ts';

export const OfferFigures = Type.Object({
  drop: Type.Integer(),
  state: Type.String({ description: 'Of the drop' }),
  open: Count('Offers that members can accept'),
  accepted: Count('Passes that the shop has not redeemed'),
  redeemed: Count('Passes that the shop has redeemed'),
  declined: Count('Offers that members declined'),
  expired: Count('Offers whose time was over'),
  cancelled: Count('Passes that operators cancelled'),
  codes_imported: Count('Codes of the shop; 0: codes are made here'),
  codes_free: Count('Imported codes that nobody has'),
});
export type OfferFigures = Static<typeof OfferFigures>;

export const RedeemRequest = Type.Object({
  code: Text(100),
  order: Text(200, 'Of the shop: the same order may ask again, another one is refused'),
});

export const RedeemedPass = Type.Object({
  size: Type.String(),
  member_id: Type.String(),
  order: Type.String(),
  redeemed_at: Type.String(),
});
export type RedeemedPass = Static<typeof RedeemedPass>;
