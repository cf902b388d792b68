/**
 * The two rules of the line, each as one integer per member. Pure: the database keeps the factors and multiplies by itself
 * (`sort_key_of` in the first migration), so that this file is the only place that knows a rule.
 */
import type { LineRule } from '../../brand/brand-shape.ts';

/** Rule "skip": how many places a credited friend, or coming by invite, moves a member ahead of their join order. */
export const PLACES_PER_FRIEND = 10;

/**
 * sort key = sequence * perJoin - credits * perCredit - (1 when invited) * perInvite; the smallest is first in line.
 * Every rule is linear, so a credit moves a key by the same step whatever it was, and keys never meet.
 *
 * Exact while sequence < 2^32 and credits < 2^19 (524,288 friends of one member): |key| then stays below 2^53,
 * where numbers of JavaScript stop being exact.
 */
export type KeyFormula = {
  readonly perJoin: number;
  readonly perCredit: number;
  readonly perInvite: number;
  /** Widths of the counted buckets as powers of two, narrowest first: key >> shift is the bucket on that level. */
  readonly bucketShifts: readonly number[];
};

export type LinePlace = {
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
export function sortKey(formula: KeyFormula, { sequence, credits, isInvited }: LinePlace): number {
  return sequence * formula.perJoin - credits * formula.perCredit - Number(isInvited) * formula.perInvite;
}

/** 2 for every credited friend, 1 for coming by invite. */
export function points({ credits, isInvited }: Omit<LinePlace, 'sequence'>): number {
  return 2 * credits + Number(isInvited);
}

/** Sequences stay below it, so a point outweighs any number of joins. */
const SEQUENCES = 2 ** 32;
/** Room for the tie-break of rule "skip" under its places: friends + 1 if invited stays below it. */
const TIE_BREAKS = 2 ** 20;
/** Within the narrowest buckets, of up to 64 members who stand close together, members are counted one by one. */
const NARROWEST_BITS = 6;
/** A row of `rank_node` holds the counts of 2^8 buckets. */
const NODE_BITS = 8;
/** From the smallest key to the greatest. */
const KEY_BITS = 54;

/** Most points first, then join order: key = sequence - points * 2^32. */
const POINTS_FORMULA: KeyFormula = {
  perJoin: 1,
  perCredit: 2 * SEQUENCES,
  perInvite: SEQUENCES,
  bucketShifts: shiftsFrom(NARROWEST_BITS),
};

/**
 * Join order less 10 for each of m moves (friends + 1 if invited), ties by join order. Two members who tie on
 * sequence - 10 m have the order of their m, so key = (sequence - 10 m) * 2^20 + m, which is linear again.
 */
const SKIP_FORMULA: KeyFormula = {
  perJoin: TIE_BREAKS,
  perCredit: PLACES_PER_FRIEND * TIE_BREAKS - 1,
  perInvite: PLACES_PER_FRIEND * TIE_BREAKS - 1,
  bucketShifts: shiftsFrom(NARROWEST_BITS + Math.log2(TIE_BREAKS)),
};

function shiftsFrom(narrowest: number): number[] {
  return Array.from(
    { length: Math.ceil((KEY_BITS - narrowest) / NODE_BITS) },
    (_, level) => narrowest + level * NODE_BITS,
  );
}
