import { type Static, Type } from 'typebox';
import { OFFER_FILTERS, OFFER_STATES } from '../../drop/states.ts';
import {
  After,
  Next,
  Nullable,
  NullableText,
  TextOrNull,
  NullableTime as Time,
} from '../../fields.ts';

export const OfferListRequest = Type.Object({
  state: Type.Optional(Type.Enum(OFFER_FILTERS, { description: 'All by default' })),
  text: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of an address, or a whole member id, referral code, or code of a pass',
    }),
  ),
  after: After({ maxLength: 60 }),
});

export const ListedOffer = Type.Object({
  id: Type.String(),
  drop: Type.Integer(),
  member_id: Type.String(),
  email: TextOrNull('null: the member has left the line'),
  kept_email: TextOrNull('Of a member who left after the mask was paid: it is still owed'),
  has_address: Type.Boolean({ description: 'Whether it is known where the mask goes' }),
  draw_order: Nullable(Type.Integer()),
  size: Type.String(),
  state: Type.Enum(OFFER_STATES),
  wave: Type.Integer(),
  offered_at: Type.String(),
  expires_at: Type.String(),
  mailed_at: TextOrNull('null: its time has not begun'),
  reminded_at: Time,
  settled_at: Time,
  paid_at: Time,
  handed_at: TextOrNull('When it was handed over at a door'),
  code: TextOrNull('Of the pass; of a live one, a caller who may not write reads the end alone'),
  shop_order: NullableText,
  scanned_by: TextOrNull('Who handed the mask over at a door'),
  sent_at: Time,
  carrier: TextOrNull('Who brings the mask, once it was sent'),
  tracking: NullableText,
});
export type ListedOffer = Static<typeof ListedOffer>;

export const OfferPage = Type.Object({
  offers: Type.Array(ListedOffer, { description: 'Newest first; of a wave in the draw order' }),
  next: Next,
});
export type OfferPage = Static<typeof OfferPage>;
