export const DROP_STATES = ['open', 'frozen', 'selected', 'offering', 'closed'] as const;
export type DropState = (typeof DROP_STATES)[number];

/** Each takes a mask. `accepted` is not known to be paid; the last two have left the house. */
export const PASS_STATES = ['accepted', 'paid', 'handed_over', 'sent'] as const;
/** `open` can be accepted. */
export const OFFER_STATES = ['open', ...PASS_STATES, 'declined', 'expired', 'cancelled'] as const;
export type OfferState = (typeof OFFER_STATES)[number];

/** `unaddressed`: paid, and nobody knows where to send the mask. */
export const OFFER_FILTERS = [...OFFER_STATES, 'unaddressed'] as const;
export type OfferFilter = (typeof OFFER_FILTERS)[number];

export function isPass(state: OfferState): state is (typeof PASS_STATES)[number] {
  return (PASS_STATES as readonly string[]).includes(state);
}

/** What was paid for a pass is to be given back, or was given back. */
export const REFUND_STATES = ['due', 'done'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** `held`, `releasing` and `released` are states of entries: the money of a card is on hold. */
export const CHECKOUT_STATES = [
  'wanted',
  'created',
  'held',
  'releasing',
  'released',
  'paid',
  'expired',
  'cancelled',
] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

/** Why nothing is held for an entry any more. `unknown`: the card has no fingerprint. */
export const RELEASE_REASONS = [
  'duplicate',
  'prepaid',
  'amount',
  'unknown',
  'lapsed',
  'refused',
  'not-drawn',
  'withdrawn',
  'undone',
] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];
