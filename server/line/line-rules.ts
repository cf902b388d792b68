/**
 * The two rules of the line, each as one integer per member. The database stores the factors of the
 * formula, and `sort_key_of` multiplies.
 */
import type { LineRule } from '../../brand/brand-shape.ts';

/** Positions that a friend, or coming by invite, moves a member ahead under rule "skip". */
export const POSITIONS_PER_FRIEND = 10;

const POINTS_PER_FRIEND = 2;

/** Points that operators may give or take one member, all together. */
export const MAX_ADJUSTMENT = 10_000;

/**
 * sort key = sequence * perJoin - credits * perCredit - (1 if invited) * perInvite
 *   - adjustment * perCredit / 2; the smallest is first. Every rule is linear, so a credit moves a
 * key by the same step whatever it was, and keys never meet. Under either rule two points of an
 * adjustment are worth one friend.
 *
 * Keys lie within 2^52 of 0 while sequence < 2^32 - 50,000 and credits < 257,144: the
 * friends of one member.
 */
export type KeyFormula = {
  readonly perJoin: number;
  /** Even, because half of it is the worth of a point. */
  readonly perCredit: number;
  readonly perInvite: number;
  /** Widths of the counted buckets as powers of two, narrowest first; the last holds all keys. */
  readonly bucketShifts: readonly number[];
};

export type Standing = {
  /** Join order: 1 for the first member ever; never reused. */
  readonly sequence: number;
  readonly credits: number;
  readonly isInvited: boolean;
  readonly adjustment?: number;
};

export function keyFormula(rule: LineRule): KeyFormula {
  return rule.name === 'points' ? POINTS_FORMULA : SKIP_FORMULA;
}

export function sortKey(formula: KeyFormula, standing: Standing): number {
  const { sequence, credits, isInvited, adjustment = 0 } = standing;
  return (
    sequence * formula.perJoin -
    credits * formula.perCredit -
    Number(isInvited) * formula.perInvite -
    adjustment * (formula.perCredit / POINTS_PER_FRIEND)
  );
}

export function points({ credits, isInvited, adjustment = 0 }: Omit<Standing, 'sequence'>): number {
  return POINTS_PER_FRIEND * credits + Number(isInvited) + adjustment;
}

export function explainPosition(rule: LineRule, standing: Standing): string {
  const { sequence, credits, isInvited, adjustment = 0 } = standing;
  const given = (weight: number) =>
    adjustment === 0 ? '' : ` ${adjustment < 0 ? '−' : '+'} ${count(weight)} by operators`;
  const friends = `${count(credits)} ${credits === 1 ? 'friend' : 'friends'}`;
  if (rule.name === 'points') {
    const invite = isInvited ? ' + 1 for an invite' : '';
    const sum = points(standing);
    const total = `${count(sum)} ${sum === 1 ? 'point' : 'points'}`;
    return (
      `${friends} × 2${invite}${given(Math.abs(adjustment))} = ${total}. ` +
      `Joined as number ${count(sequence)}.`
    );
  }
  const invite = isInvited ? ` + ${POSITIONS_PER_FRIEND} for an invite` : '';
  const positions = (POSITIONS_PER_FRIEND / POINTS_PER_FRIEND) * adjustment;
  const moves = POSITIONS_PER_FRIEND * (credits + Number(isInvited)) + positions;
  return (
    `${friends} × ${POSITIONS_PER_FRIEND}${invite}${given(Math.abs(positions))} = ` +
    `${count(Math.abs(moves))} positions ${moves < 0 ? 'behind' : 'ahead of'} ` +
    `joining as number ${count(sequence)}.`
  );
}

/** Sequences stay below this, so that a point outweighs any number of joins. */
const SEQUENCES = 2 ** 32;
/** The tie-break of rule "skip" lies within half of this of 0. */
const TIE_BREAKS = 2 ** 20;
/** The narrowest buckets have up to 64 members, who are counted one by one. */
const NARROWEST_BITS = 6;
/** A row of `count_node` counts up to 2^8 buckets. */
const NODE_BITS = 8;
const KEY_BITS = 53;

/** Most points first, then join order: key = sequence - points * 2^32. */
const POINTS_FORMULA: KeyFormula = {
  perJoin: 1,
  perCredit: 2 * SEQUENCES,
  perInvite: SEQUENCES,
  bucketShifts: shiftsFrom(NARROWEST_BITS),
};

/**
 * Join order less 5 for each of h half moves, ties by join order: two for a friend, two for coming
 * by invite, one for a point of an adjustment. Two members who tie on sequence - 5 h have the order
 * of their h, so key = (sequence - 5 h) * 2^20 + h, which is linear again.
 */
const SKIP_FORMULA: KeyFormula = {
  perJoin: TIE_BREAKS,
  perCredit: POSITIONS_PER_FRIEND * TIE_BREAKS - 2,
  perInvite: POSITIONS_PER_FRIEND * TIE_BREAKS - 2,
  bucketShifts: shiftsFrom(NARROWEST_BITS + Math.log2(TIE_BREAKS)),
};

/** Nodes are as large as possible, except the lowest, which credits write most. */
function shiftsFrom(narrowest: number): number[] {
  const shifts: number[] = [];
  for (let shift = KEY_BITS; shift > narrowest; shift -= NODE_BITS) shifts.unshift(shift);
  return [narrowest, ...shifts];
}

function count(number: number): string {
  return number.toLocaleString('en');
}
