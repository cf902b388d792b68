/** What each member of the rehearsal does with an offer, drawn from a seed. Pure. */

/** An hour counts from the offer. Members who let it expire do nothing. */
export type Plan =
  | { readonly kind: 'accept' | 'decline'; readonly hour: number }
  | { readonly kind: 'change'; readonly hour: number }
  | { readonly kind: 'expire' };

const ACCEPTS = 0.55;
const CHANGES = 0.1;
const DECLINES = 0.17;
/** Nobody waits for the last hour of the twelve, in which an offer could end first. */
const HOURS = 11;

/** `random` returns numbers from 0 to 1. */
export function drawPlan(random: () => number): Plan {
  const kind = random();
  const hour = Math.floor(random() * HOURS);
  if (kind < ACCEPTS) return { kind: 'accept', hour };
  if (kind < ACCEPTS + CHANGES) return { kind: 'change', hour };
  return kind < ACCEPTS + CHANGES + DECLINES ? { kind: 'decline', hour } : { kind: 'expire' };
}

/** Every third member names sizes; half of these take any other as well. */
export function drawWish(
  sizes: readonly string[],
  random: () => number,
): { sizes: string[]; takes_any: boolean } | null {
  if (random() > 1 / 3) return null;
  const first = Math.floor(random() * sizes.length);
  const second = (first + 1) % sizes.length;
  const wished = random() < 0.5 ? [first] : [first, second];
  return { sizes: wished.flatMap((index) => sizes[index] ?? []), takes_any: random() < 0.5 };
}
