export const DROP_STATES = ['open', 'frozen', 'selected', 'offering', 'closed'] as const;
export type DropState = (typeof DROP_STATES)[number];

/** `open` can be accepted; `accepted` and `redeemed` are passes. */
export const OFFER_STATES = [
  'open',
  'accepted',
  'redeemed',
  'declined',
  'expired',
  'cancelled',
] as const;
export type OfferState = (typeof OFFER_STATES)[number];

export const CHECKOUT_STATES = ['wanted', 'created', 'paid', 'expired', 'cancelled'] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];
