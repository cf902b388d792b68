/** Points that a friend who counts is worth; coming by invite is worth one. */
const POINTS_PER_FRIEND = 2;

/** Points that operators may give or take one member, all together. */
export const MAX_ADJUSTMENT = 10_000;

/** Sequences stay below this, so that a point outweighs any number of joins. */
const SEQUENCES = 2 ** 32;

/** Friends that a member gains, or loses with negative numbers. */
export type FriendChange = { readonly confirmed: number; readonly unconfirmed: number };

export type Standing = {
  /** Join order: 1 for the first member ever; never reused. */
  readonly sequence: number;
  readonly credits: number;
  readonly isInvited: boolean;
  readonly adjustment?: number;
};

/**
 * Most points first, then join order: the smallest key is first, and no two are equal.
 * `sort_key_of` works out the same. Keys lie within 2^52 of 0 while a member has < 2^18 credits.
 */
export function sortKey(standing: Standing): number {
  return standing.sequence - points(standing) * SEQUENCES;
}

export function points({ credits, isInvited, adjustment = 0 }: Omit<Standing, 'sequence'>): number {
  return POINTS_PER_FRIEND * credits + Number(isInvited) + adjustment;
}

export function explainPosition(standing: Standing): string {
  const { sequence, credits, isInvited, adjustment = 0 } = standing;
  const friends = `${count(credits)} ${credits === 1 ? 'friend' : 'friends'}`;
  const invite = isInvited ? ' + 1 for an invite' : '';
  const given =
    adjustment === 0
      ? ''
      : ` ${adjustment < 0 ? '−' : '+'} ${count(Math.abs(adjustment))} by operators`;
  const sum = points(standing);
  const total = `${count(sum)} ${sum === 1 ? 'point' : 'points'}`;
  return (
    `${friends} × ${POINTS_PER_FRIEND}${invite}${given} = ${total}. ` +
    `Joined as number ${count(sequence)}.`
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}
