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

export const CHECKOUT_STATES = ['wanted', 'created', 'paid', 'expired', 'cancelled'] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];
