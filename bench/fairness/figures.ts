import type { KnownVisit } from './visit.ts';

export type Outcome = {
  readonly visit: KnownVisit;
  readonly isRefused: boolean;
  readonly neededProof: boolean;
  readonly isHeldAtJoin: boolean;
  readonly isHeld: boolean;
};

const FIELDS = ['joins', 'credits', 'heldAtJoin', 'held', 'refused', 'proven'] as const;
export type Counts = Readonly<Record<(typeof FIELDS)[number], number>>;
export type KindFigures = Counts & { readonly kind: string; readonly isHonest: boolean };

export function countKinds(outcomes: readonly Outcome[]): KindFigures[] {
  const groups = Map.groupBy(outcomes, ({ visit }) => `${visit.kind} ${visit.isHonest}`);
  return [...groups.values()].map((group) => {
    const count = (isCounted: (outcome: Outcome) => boolean) => group.filter(isCounted).length;
    const { kind = '', isHonest = true } = group[0]?.visit ?? {};
    return {
      kind,
      isHonest,
      joins: group.length,
      credits: count(({ visit, isRefused }) => visit.referrer !== null && !isRefused),
      heldAtJoin: count(({ isHeldAtJoin }) => isHeldAtJoin),
      held: count(({ isHeld }) => isHeld),
      refused: count(({ isRefused }) => isRefused),
      proven: count(({ neededProof }) => neededProof),
    };
  });
}

export function sum(rows: readonly Counts[]): Counts {
  const total = (field: keyof Counts) => rows.reduce((all, row) => all + row[field], 0);
  return Object.fromEntries(FIELDS.map((field) => [field, total(field)])) as Counts;
}

export function onlyOf(kinds: readonly KindFigures[], label: 'honest' | 'false'): KindFigures[] {
  return kinds.filter(({ isHonest }) => isHonest === (label === 'honest'));
}
