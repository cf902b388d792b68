/** Kinds of tills, and what operators call them. */
export const TILLS = { link: 'A link', stripe: 'Stripe', shopify: 'Shopify' };
export type TillKind = keyof typeof TILLS;
