/** Every state of a member's page from the freeze to the end of a drop. */

import { standingWords } from '../../brand/drop-words.ts';
import type { DropPlaceView } from '../../contract/drop/drop-views.ts';
import type { OwnOffer } from '../../contract/drop/offer-views.ts';
import { stateOf } from '../../contract/drop/place-states.ts';
import { weightWords } from '../../contract/drop/weight-rules.ts';

type Offer = NonNullable<OwnOffer['offer']>;

/** Time by the clock of the server, which differs from that of the visitors by years. */
export const SERVER_NOW = '2031-05-04T10:00:00.000Z';

const PLACE: Omit<DropPlaceView, 'words'> = {
  drop: 1,
  state: 'offering',
  position: 12,
  place: 12,
  size: 'Medium',
  edition: { number: 12, masks: 100 },
  odds: null,
  can_return: true,
  is_mailed: true,
  is_paused: false,
  card_entry: null,
  hash: 'ab'.repeat(32),
};

export const OFFER: Offer = {
  drop: 1,
  state: 'open',
  size: 'Medium',
  offered_at: '2031-05-04T08:00:00.000Z',
  expires_at: '2031-05-04T21:42:07.000Z',
  free_sizes: ['Small', 'Large'],
  code: null,
  shop_link: null,
  price: '€99.00',
  pay_hours: 24,
  checkout: null,
  refund: null,
};

const PAY_BY = '2031-05-05T08:30:00.000Z';

const UNDRAWN = { state: 'frozen', place: null, size: null } as const;
const ENTRY_WORDS = { title: 'Enter the draw', text: '€99.00 are reserved on your card.' };
const ENTRY: NonNullable<DropPlaceView['card_entry']> = {
  state: null,
  why: null,
  may_enter: false,
  until: PAY_BY,
  price: '€99.00',
};

export const PASS: Offer = {
  ...OFFER,
  state: 'accepted',
  free_sizes: [],
  code: '7K3M-PQ9X-HT2F-W8RA',
  shop_link: 'https://shop.example.com/discount/7K3M-PQ9X-HT2F-W8RA',
};

export type DropState = {
  readonly name: string;
  readonly place?: Partial<DropPlaceView>;
  readonly offer?: Partial<Offer> | null;
  readonly entryLink?: string;
  /** The visitor holds the link of the mail. */
  readonly hasLink?: boolean;
  /** Text of the page in this state. */
  readonly says: string;
};

export const dropStates: readonly DropState[] = [
  {
    name: 'frozen',
    place: UNDRAWN,
    says: 'You are on the list',
  },
  {
    name: 'frozen-behind',
    place: { state: 'frozen', position: null, place: null, size: null },
    says: 'count for drop 2.',
  },
  {
    name: 'frozen-with-odds',
    place: {
      state: 'frozen',
      place: null,
      size: null,
      odds: { kind: 'draw', percent: 31, masks: 90, among: 290, weight: 3 },
    },
    says: 'You have 1.5 tickets',
  },
  {
    name: 'entry-open',
    place: { ...UNDRAWN, card_entry: { ...ENTRY, may_enter: true } },
    hasLink: true,
    says: ENTRY_WORDS.text,
  },
  {
    name: 'entry-to-look-at',
    place: { ...UNDRAWN, card_entry: { ...ENTRY, may_enter: true } },
    says: 'Open the link in your mail to enter or leave',
  },
  {
    name: 'entry-of-card',
    place: { ...UNDRAWN, card_entry: { ...ENTRY, state: 'created' } },
    entryLink: 'https://checkout.stripe.com/c/pay/cs_1',
    hasLink: true,
    says: 'Enter your card',
  },
  {
    name: 'entry-held',
    place: { ...UNDRAWN, card_entry: { ...ENTRY, state: 'held' } },
    hasLink: true,
    says: ENTRY_WORDS.text,
  },
  {
    name: 'entry-again',
    place: {
      ...UNDRAWN,
      card_entry: { ...ENTRY, state: 'released', why: 'lapsed', may_enter: true },
    },
    hasLink: true,
    says: ENTRY_WORDS.text,
  },
  {
    name: 'entry-not-drawn',
    place: {
      place: 104,
      size: null,
      card_entry: { ...ENTRY, state: 'released', why: 'not-drawn' },
    },
    says: ENTRY_WORDS.text,
  },
  {
    name: 'pass-charging',
    offer: { ...PASS, checkout: { state: 'held', pay_by: PAY_BY, is_own: true } },
    hasLink: true,
    says: 'You are drawn: your card is being charged.',
  },
  { name: 'chosen', place: { state: 'selected' }, says: 'You are chosen' },
  { name: 'not-chosen', place: { place: 104, size: null }, says: 'Not chosen yet' },
  { name: 'offered', offer: OFFER, hasLink: true, says: 'Accept in Medium' },
  { name: 'offered-to-look-at', offer: OFFER, says: 'Open the link in your mail to answer' },
  { name: 'pass', offer: PASS, hasLink: true, says: 'Open the shop' },
  {
    name: 'pass-without-shop',
    offer: { ...PASS, shop_link: null },
    hasLink: true,
    says: 'Copy the code',
  },
  {
    name: 'pass-to-pay',
    offer: { ...PASS, checkout: { state: 'created', pay_by: PAY_BY, is_own: true } },
    hasLink: true,
    says: 'Pay now',
  },
  {
    name: 'pass-before-its-checkout',
    offer: {
      ...PASS,
      shop_link: null,
      checkout: { state: 'wanted', pay_by: PAY_BY, is_own: true },
    },
    hasLink: true,
    says: 'Your checkout is being made',
  },
  {
    name: 'unpaid',
    offer: {
      ...OFFER,
      state: 'cancelled',
      checkout: { state: 'expired', pay_by: PAY_BY, is_own: true },
    },
    says: 'Not paid in time',
  },
  { name: 'pass-to-look-at', offer: PASS, says: 'Open the link in your mail to use this pass' },
  {
    name: 'pass-used',
    offer: { ...PASS, state: 'handed_over' },
    hasLink: true,
    says: 'You have your mask.',
  },
  {
    name: 'pass-paid',
    offer: { ...PASS, state: 'paid' },
    hasLink: true,
    says: 'Paid. It is sent to you',
  },
  { name: 'declined', offer: { ...OFFER, state: 'declined' }, says: 'You declined' },
  { name: 'expired', offer: { ...OFFER, state: 'expired' }, says: 'Time ran out' },
  {
    name: 'cancelled',
    offer: { ...OFFER, state: 'cancelled', refund: 'due' },
    says: 'What you paid goes back to you.',
  },
  {
    name: 'pass-given-back',
    offer: { ...PASS, state: 'paid', refund: 'done' },
    hasLink: true,
    says: 'What you paid was given back. So this pass brings no mask.',
  },
  {
    name: 'closed',
    place: { state: 'closed', place: 104, size: null },
    says: 'This drop is over',
  },
];

/** What the API answers in this state: to holders of the link of the mail `own`, else `looked`. */
export function answersIn({ place, offer = null }: Pick<DropState, 'place' | 'offer'>) {
  const placeNow = { ...PLACE, ...place };
  const offerNow = offer && { ...OFFER, ...offer };
  const standing = standingWords(stateOf(placeNow, null), placeNow, weightWords);
  return {
    place: { ...placeNow, words: placeNow.card_entry ? ENTRY_WORDS : standing },
    own: offerNow,
    looked: offerNow && withoutCode(offerNow),
  };
}

function withoutCode({ code: _code, shop_link: _link, ...looked }: Offer) {
  return looked;
}
