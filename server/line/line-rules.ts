/**
 * The two rules of the line, each as one integer per member. Only this file knows a rule: the
 * database keeps the factors and multiplies (`sort_key_of`).
 */
import type { LineRule } from '../../brand/brand-shape.ts';

/**
 * Rule "skip": how far a credited friend, or coming by invite, moves a member ahead of their join
 * order.
 */
export const POSITIONS_PER_FRIEND = 10;

/**
 * sort key = sequence * perJoin - credits * perCredit - (1 if invited) * perInvite; the smallest is
 * first. Every rule is linear, so a credit moves a key by the same step whatever it was, and keys
 * never meet.
 *
 * Keys lie within 2^52 of 0 while sequence < 2^32 and credits < 2^19, 524,288 friends of one
 * member.
 */
export type KeyFormula = {
  readonly perJoin: number;
  readonly perCredit: number;
  readonly perInvite: number;
  /** Widths of the counted buckets as powers of two, narrowest first; the last holds all keys. */
  readonly bucketShifts: readonly number[];
};

export type Standing = {
  /** Join order: 1 for the first member ever; never given twice. */
  readonly sequence: number;
  readonly credits: number;
  readonly isInvited: boolean;
};

/** The formula of a rule of the brand file. */
export function keyFormula(rule: LineRule): KeyFormula {
  return rule.name === 'points' ? POINTS_FORMULA : SKIP_FORMULA;
}

/** The sort key of a member by a formula. */
export function sortKey(formula: KeyFormula, { sequence, credits, isInvited }: Standing): number {
  return (
    sequence * formula.perJoin - credits * formula.perCredit - Number(isInvited) * formula.perInvite
  );
}

/** 2 for every credited friend, 1 for coming by invite. */
export function points({ credits, isInvited }: Omit<Standing, 'sequence'>): number {
  return 2 * credits + Number(isInvited);
}

/** Why a member stands where they do, in one sentence for the operator. */
export function explainPosition(rule: LineRule, standing: Standing): string {
  const { sequence, credits, isInvited } = standing;
  const friends = `${count(credits)} ${credits === 1 ? 'friend' : 'friends'}`;
  if (rule.name === 'points') {
    const invite = isInvited ? ' + 1 for an invite' : '';
    const sum = points(standing);
    const total = `${count(sum)} ${sum === 1 ? 'point' : 'points'}`;
    return `${friends} × 2${invite} = ${total}. Joined as number ${count(sequence)}.`;
  }
  const invite = isInvited ? ` + ${POSITIONS_PER_FRIEND} for an invite` : '';
  const moves = POSITIONS_PER_FRIEND * (credits + Number(isInvited));
  return (
    `${friends} × ${POSITIONS_PER_FRIEND}${invite} = ${count(moves)} positions ahead of ` +
    `joining as number ${count(sequence)}.`
  );
}

/** Sequences stay below it, so a point outweighs any number of joins. */
const SEQUENCES = 2 ** 32;
/** Room for the tie-break of rule "skip": friends + 1 if invited stays below it. */
const TIE_BREAKS = 2 ** 20;
/** Within the narrowest buckets, of up to 64 members, members are counted one by one. */
const NARROWEST_BITS = 6;
/** A row of `count_node` counts up to 2^8 buckets. */
const NODE_BITS = 8;
/** From the smallest key, -2^52, to the greatest. */
const KEY_BITS = 53;

/** Most points first, then join order: key = sequence - points * 2^32. */
const POINTS_FORMULA: KeyFormula = {
  perJoin: 1,
  perCredit: 2 * SEQUENCES,
  perInvite: SEQUENCES,
  bucketShifts: shiftsFrom(NARROWEST_BITS),
};

/**
 * Join order less 10 for each of m moves (friends + 1 if invited), ties by join order. Two members
 * who tie on sequence - 10 m have the order of their m, so key = (sequence - 10 m) * 2^20 + m,
 * which is linear again.
 */
const SKIP_FORMULA: KeyFormula = {
  perJoin: TIE_BREAKS,
  perCredit: POSITIONS_PER_FRIEND * TIE_BREAKS - 1,
  perInvite: POSITIONS_PER_FRIEND * TIE_BREAKS - 1,
  bucketShifts: shiftsFrom(NARROWEST_BITS + Math.log2(TIE_BREAKS)),
};

/** Nodes are as large as can be, but for the lowest: credits write that one most. */
function shiftsFrom(narrowest: number): number[] {
  const shifts: number[] = [];
  for (let shift = KEY_BITS; shift > narrowest; shift -= NODE_BITS) shifts.unshift(shift);
  return [narrowest, ...shifts];
}

function count(number: number): string {
  return number.toLocaleString('en');
}
