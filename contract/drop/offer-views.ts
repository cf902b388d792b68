import { type Static, Type } from 'typebox';
import { IntegerOrNull, Nullable, Text, TextOrNull } from '../fields.ts';
import { CHECKOUT_STATES, OFFER_STATES, REFUND_STATES } from './states.ts';

const fields = {
  drop: Type.Integer(),
  state: Type.Enum(OFFER_STATES),
  size: Type.String(),
  offered_at: Type.String(),
  expires_at: Type.String({ description: 'When an open offer ends' }),
  free_sizes: Type.Array(Type.String(), {
    description: 'Other sizes that an open offer can change to',
  }),
  price: TextOrNull('What a mask costs, such as €99.00; null: the shop says it'),
  pay_hours: IntegerOrNull('How long the pass of an open offer can be paid; null: no limit'),
  checkout: Nullable(
    Type.Object({
      state: Type.Enum(CHECKOUT_STATES),
      pay_by: Type.String({ description: 'When the pass ends unless it is paid' }),
      is_own: Type.Boolean({ description: 'Only the holder of the pass has this checkout' }),
    }),
    { description: 'Of a pass; null where passes do not end by themselves' },
  ),
  refund: Nullable(Type.Enum(REFUND_STATES), { description: 'Of what was paid for a pass' }),
};

export const LookedAtOffer = Type.Object({
  now: Type.String({ description: 'By the clock of the server, for a countdown' }),
  offer: Nullable(Type.Object(fields)),
});
export type LookedAtOffer = Static<typeof LookedAtOffer>;

export const OwnOffer = Type.Object({
  now: Type.String({ description: 'By the clock of the server, for a countdown' }),
  member_id: Type.String({ description: 'Whose link it is' }),
  offer: Nullable(
    Type.Object({
      ...fields,
      code: TextOrNull('Of the pass: opens the shop, once'),
      shop_link: TextOrNull('Where the pass is paid'),
    }),
  ),
  entry_link: TextOrNull('Where the card is entered that is a ticket of the draw'),
});
export type OwnOffer = Static<typeof OwnOffer>;

export const MailedLink = Type.Object({ member_id: Type.String() });

const Token = Text(200, 'From the fragment of the link in the mail');

export const OfferToken = Type.Object({ token: Token });
export const OfferSize = Type.Object({
  token: Token,
  size: Text(100),
});
