import type { KnownVisit } from './visit.ts';

export type Outcome = {
  readonly visit: KnownVisit;
  /** Of the member; empty where the join was refused. */
  readonly id: string;
  readonly isRefused: boolean;
  readonly isChallenged: boolean;
  readonly isSlow: boolean;
  readonly isConfirmed: boolean;
  /** Worth of the credit for this friend in the frozen list: 0 to 1. */
  readonly counted: number;
  /** Half tickets in the draw; 0 for whoever is no entrant. */
  readonly weight: number;
};

export const ALL = 'all';

export type KindFigures = ReturnType<typeof count>;

/** The last two rows add up all honest visits, and all others. */
export function countKinds(outcomes: readonly Outcome[]): KindFigures[] {
  const groups = Map.groupBy(outcomes, ({ visit }) => `${visit.kind} ${visit.isHonest}`);
  const kinds = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [count(first.visit.kind, first.visit.isHonest, group)];
  });
  const all = [true, false].map((isHonest) =>
    count(
      ALL,
      isHonest,
      outcomes.filter(({ visit }) => visit.isHonest === isHonest),
    ),
  );
  return [...kinds, ...all];
}

/** `confirmed` counts friends alone: those whose credit could count. */
function count(kind: string, isHonest: boolean, group: readonly Outcome[]) {
  const friends = group.filter(({ visit, isRefused }) => visit.referrer !== null && !isRefused);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  return {
    kind,
    isHonest,
    joins: group.length,
    credits: friends.length,
    confirmed: friends.filter(({ isConfirmed }) => isConfirmed).length,
    counted: sum(friends.map(({ counted }) => counted)),
    entrants: group.filter(({ weight }) => weight > 0).length,
    weight: sum(group.map(({ weight }) => weight)),
    refused: group.filter(({ isRefused }) => isRefused).length,
    challenged: group.filter(({ isChallenged }) => isChallenged).length,
    slow: group.filter(({ isSlow }) => isSlow).length,
  };
}

const Z = 1.96;

/** Wilson's interval, at 95 %, of a share. */
export function intervalOf(part: number, all: number): readonly [low: number, high: number] {
  if (all === 0) return [0, 1];
  const share = part / all;
  const base = 1 + Z ** 2 / all;
  const centre = (share + Z ** 2 / (2 * all)) / base;
  const reach = (Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2))) / base;
  return [Math.max(0, centre - reach), Math.min(1, centre + reach)];
}
