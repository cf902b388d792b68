import { type Static, Type } from 'typebox';
import { CHECKOUT_STATES, OFFER_STATES } from '../../drop/states.ts';
import {
  Change,
  Count,
  Nullable,
  NullableText,
  Text,
  TextOrNull,
  NullableTime as Time,
  Whole,
} from '../../fields.ts';
import { TILLS, type TillKind } from './tills.ts';

export type { TillKind };

export const TILL_KINDS = Object.keys(TILLS) as readonly TillKind[];
const PAYMENT_STATES = ['kept', 'to_refund', 'refunded', 'by_hand', 'settled'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

const settings = {
  link: Type.Object(
    {
      url: Type.Optional(
        Text(
          500,
          'https://..., with {code} where the code of a pass goes; else it follows the end',
        ),
      ),
      reports: Type.Boolean({
        description:
          'The shop redeems a pass by the API before it accepts an order, so a pass that is not ' +
          'redeemed in time can end by itself',
      }),
    },
    { description: 'Any shop, by a link' },
  ),
  stripe: Type.Object(
    {
      cents: Whole(1, 99_999_999, 'What a mask costs, shipping included, in the smallest unit'),
      currency: Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Such as EUR' }),
      countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
        minItems: 1,
        maxItems: 250,
        description: 'Where masks are sent: ISO 3166, such as DE',
      }),
    },
    { description: 'Checkout Sessions of Stripe' },
  ),
  shopify: Type.Object(
    {
      shop: Type.String({
        pattern: '^[a-z0-9][a-z0-9-]{0,60}\\.myshopify\\.com$',
        description: 'Such as our-shop.myshopify.com',
      }),
      client_id: Type.String({ pattern: '^[!-~]{8,200}$', description: 'Of your app' }),
      product: Type.String({
        pattern: '^[1-9][0-9]{0,18}$',
        description: 'Number of the product, whose variants are the sizes',
      }),
    },
    { description: 'Draft orders of Shopify' },
  ),
};
export type TillSettings = { readonly [Kind in TillKind]: Static<(typeof settings)[Kind]> };

const Key = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[!-~]{8,500}$',
      description: `${description}; without it, the stored one stays`,
    }),
  );

export const tillInputs = {
  'set-till': Change('Set where members pay for their masks: one of link, stripe and shopify', {
    link: Type.Optional(settings.link),
    stripe: Type.Optional(settings.stripe),
    shopify: Type.Optional(settings.shopify),
    secret_key: Key('Secret or restricted key of Stripe, or client secret of Shopify'),
    webhook_secret: Key('Signing secret of the webhook of Stripe'),
  }),
  'settle-payment': Change('Mark a payment as settled elsewhere: the till gives nothing back', {
    payment: Text(300, 'The id of a payment'),
    note: Text(500, 'How it was settled: without e-mail addresses, because it is kept for good'),
  }),
} as const;

export const TillView = Type.Object({
  kind: Type.Enum(TILL_KINDS),
  link: Type.Optional(settings.link),
  stripe: Type.Optional(settings.stripe),
  shopify: Type.Optional(settings.shopify),
  account: NullableText,
  is_live: Nullable(Type.Boolean({ description: 'false: a test account, where no money moves' })),
  notices_url: TextOrNull('What its webhooks call'),
  checkouts: Type.Object(
    Object.fromEntries(CHECKOUT_STATES.map((state) => [state, Type.Integer()])) as Record<
      (typeof CHECKOUT_STATES)[number],
      ReturnType<typeof Type.Integer>
    >,
    { description: 'How many there are in each state' },
  ),
  overdue: Count('Accepted passes whose pay-by time is over'),
  failing: Count('Checkouts and refunds whose last call failed'),
  keyless: Type.Array(Type.String(), {
    description: 'A sentence about each account whose keys are missing, as after a restore',
  }),
  failure: TextOrNull('Why the last of them failed, for a person'),
  compared_at: TextOrNull('When its sales were last compared'),
  by_hand: Count('Payments that wait until you settle them'),
});
export type TillView = Static<typeof TillView>;

export const TillTest = Type.Object({
  findings: Type.Array(Type.Object({ is_good: Type.Boolean(), sentence: Type.String() })),
});
export type TillTest = Static<typeof TillTest>;

const Cents = (description: string) =>
  Type.Integer({ description: `${description}, in the smallest unit of the currency` });
const amounts = {
  refunded_cents: Cents('What went back'),
  disputed_cents: Cents('What banks of payers took back'),
};

export const Money = Type.Object({
  sums: Type.Array(
    Type.Object({
      currency: Type.String(),
      is_live: Type.Boolean({ description: 'false: paid at a test account, where no money moves' }),
      payments: Count('Payments'),
      paid_cents: Cents('What was paid'),
      ...amounts,
      left_cents: Cents('Paid, without what went back or was taken back'),
    }),
    {
      description:
        'Of each currency, of test accounts apart; orders of a shop behind a link have no amounts',
    },
  ),
  holds: Type.Array(
    Type.Object({ currency: Type.String(), cards: Count('Cards'), cents: Cents('What they hold') }),
    { description: 'What cards hold for a draw, and nobody has paid' },
  ),
  masks: Type.Object({
    passes: Count('Passes that stand'),
    paid: Count('Paid ones among them'),
    handed_over: Count('Handed over at a door'),
    sent: Count('Sent'),
  }),
  rows: Type.Array(
    Type.Object({
      payment: NullableText,
      kind: Nullable(Type.Enum(TILL_KINDS)),
      reference: TextOrNull('By which you find it where it was paid'),
      drop: Nullable(Type.Integer()),
      member_id: NullableText,
      size: NullableText,
      pass: Nullable(Type.Enum(OFFER_STATES)),
      cents: Nullable(Cents('What was paid')),
      ...amounts,
      currency: NullableText,
      is_live: Nullable(Type.Boolean()),
      state: Nullable(
        Type.Enum(PAYMENT_STATES, {
          description: 'by_hand: waits until you settle it; settled: you did, elsewhere',
        }),
      ),
      why: NullableText,
      seen_at: Time,
      handed_at: Time,
      sent_at: Time,
    }),
    {
      description:
        'A pass and its payment, those that wait for you first; the last 500. The file `money` ' +
        'has all',
    },
  ),
});
export type Money = Static<typeof Money>;
