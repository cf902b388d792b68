/** The database stores the factors of the formula, and `sort_key_of` multiplies. */
import type { LineRule } from '../../brand/brand-shape.ts';

/** Positions that a friend, or coming by invite, moves a member ahead under rule "skip". */
export const POSITIONS_PER_FRIEND = 10;

/** Positions of each of the first friends under rule "fade", if the brand names no number. */
export const PLACES_PER_FRIEND = 20;
export const MAX_PLACES_PER_FRIEND = 80;

const POINTS_PER_FRIEND = 2;

/** Points that operators may give or take one member, all together. */
export const MAX_ADJUSTMENT = 10_000;

/**
 * sort key = sequence * perJoin - credits * perCredit - (1 if invited) * perInvite
 *   - adjustment * perCredit / 2; the smallest is first. Rules "points" and "skip" are linear, so a
 * credit moves a key by the same step whatever it was. Rule "fade" replaces credits * perCredit by
 * the whole positions that the friends are worth. Keys never meet. Under each rule two points of an
 * adjustment are worth one friend, of the first ones.
 *
 * Keys lie within 2^52 of 0 while sequence < 2^32 - 50,000, under "fade" 2^32 - 400,000, and
 * credits < 257,144: the friends of one member.
 */
export type KeyFormula = {
  readonly rule: LineRule['name'];
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
  if (rule.name === 'fade') return fadeFormula(rule.placesPerFriend);
  return rule.name === 'points' ? POINTS_FORMULA : SKIP_FORMULA;
}

/**
 * Hundredths of a first friend that so many friends are worth: 100 for each of 5, then 50 up to 10,
 * 25 up to 25, 10 up to 100, and 1 for each further one. Each line is the least where it applies.
 */
function fadedWorth(credits: number): number {
  return Math.min(
    100 * credits,
    250 + 50 * credits,
    500 + 25 * credits,
    875 + 10 * credits,
    1_775 + credits,
  );
}

const fadedPlaces = (credits: number, placesPerFriend: number) =>
  Math.floor((fadedWorth(credits) * placesPerFriend) / 100);

function creditsKey({ rule, perJoin, perCredit }: KeyFormula, credits: number): number {
  if (rule !== 'fade') return credits * perCredit;
  const perPlace = perJoin - 1;
  return fadedPlaces(credits, perCredit / perPlace) * perPlace;
}

export function sortKey(formula: KeyFormula, standing: Standing): number {
  const { sequence, credits, isInvited, adjustment = 0 } = standing;
  return (
    sequence * formula.perJoin -
    creditsKey(formula, credits) -
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
  const isFading = rule.name === 'fade';
  const perFriend = isFading ? (rule.placesPerFriend ?? PLACES_PER_FRIEND) : POSITIONS_PER_FRIEND;
  const byFriends = isFading ? fadedPlaces(credits, perFriend) : perFriend * credits;
  const weighed = isFading ? `= ${count(byFriends)} positions` : `× ${perFriend}`;
  const invite = isInvited ? ` + ${perFriend} for an invite` : '';
  const positions = (perFriend / POINTS_PER_FRIEND) * adjustment;
  const moves = byFriends + perFriend * Number(isInvited) + positions;
  return (
    `${friends} ${weighed}${invite}${given(Math.abs(positions))} = ` +
    `${count(Math.abs(moves))} positions ${moves < 0 ? 'behind' : 'ahead of'} ` +
    `joining as number ${count(sequence)}.`
  );
}

/** Sequences stay below this, so that a point outweighs any number of joins. */
const SEQUENCES = 2 ** 32;
/** The tie-breaks of rule "skip" lie within half of this of 0; those of "fade" span less. */
const TIE_BREAKS = 2 ** 20;
/** The narrowest buckets have up to 64 members, who are counted one by one. */
const NARROWEST_BITS = 6;
/** A row of `count_node` counts up to 2^8 buckets. */
const NODE_BITS = 8;
const KEY_BITS = 53;

/** Most points first, then join order: key = sequence - points * 2^32. */
const POINTS_FORMULA: KeyFormula = {
  rule: 'points',
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
  rule: 'skip',
  perJoin: TIE_BREAKS,
  perCredit: POSITIONS_PER_FRIEND * TIE_BREAKS - 2,
  perInvite: POSITIONS_PER_FRIEND * TIE_BREAKS - 2,
  bucketShifts: shiftsFrom(NARROWEST_BITS + Math.log2(TIE_BREAKS)),
};

/**
 * Join order less m positions, ties by join order. Two members who tie on sequence - m have the
 * order of their m, so key = (sequence - m) * 2^20 + m: each position is worth 2^20 - 1.
 */
const fadeFormula = (placesPerFriend = PLACES_PER_FRIEND): KeyFormula => ({
  rule: 'fade',
  perJoin: TIE_BREAKS,
  perCredit: placesPerFriend * (TIE_BREAKS - 1),
  perInvite: placesPerFriend * (TIE_BREAKS - 1),
  bucketShifts: SKIP_FORMULA.bucketShifts,
});

/** Nodes are as large as possible, except the lowest, which credits write most. */
function shiftsFrom(narrowest: number): number[] {
  const shifts: number[] = [];
  for (let shift = KEY_BITS; shift > narrowest; shift -= NODE_BITS) shifts.unshift(shift);
  return [narrowest, ...shifts];
}

function count(number: number): string {
  return number.toLocaleString('en');
}
