/** Counts by kind and label, over several lines. */
import type { Played } from './http/play-line.ts';
import { type Score, tally } from './make-line.ts';
import type { Kind, Visit } from './visit.ts';

export type KindFigures = {
  readonly kind: Kind;
  readonly isHonest: boolean;
  readonly joins: number;
  readonly credits: number;
  readonly heldAtJoin: number;
  /** After looking back. */
  readonly held: number;
  readonly refused: number;
  readonly proven: number;
};

export type Sum = Omit<KindFigures, 'kind' | 'isHonest'>;

const FIELDS = ['joins', 'credits', 'heldAtJoin', 'held', 'refused', 'proven'] as const;
const NONE: Sum = { joins: 0, credits: 0, heldAtJoin: 0, held: 0, refused: 0, proven: 0 };
const NO_SCORE: Score = { credits: 0, held: 0 };

export function countKinds(line: readonly Visit[], played: Played): KindFigures[] {
  const atJoin = tally(played.atJoin);
  const later = tally(played.afterLookingBack);
  const kinds = new Map(line.map((visit) => [keyOf(visit), visit] as const));
  return [...kinds].map(([key, { kind, isHonest }]) => {
    const count = (visits: readonly Visit[]) =>
      visits.filter((visit) => keyOf(visit) === key).length;
    const { credits, held } = later.get(key) ?? NO_SCORE;
    return {
      kind,
      isHonest,
      joins: count(line),
      credits,
      heldAtJoin: (atJoin.get(key) ?? NO_SCORE).held,
      held,
      refused: count(played.refused.map(({ visit }) => visit)),
      proven: count(played.proven),
    };
  });
}

const keyOf = ({ kind, isHonest }: Visit) => `${kind} ${isHonest ? 'honest' : 'false'}` as const;

/** One row per kind and label, of rows of several lines. */
export function mergeKinds(rows: readonly KindFigures[]): KindFigures[] {
  const merged = new Map<string, KindFigures>();
  for (const row of rows) {
    const key = `${row.kind} ${row.isHonest}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? row : { ...row, ...sum([before, row]) });
  }
  return [...merged.values()];
}

export function sum(rows: readonly Sum[]): Sum {
  return rows.reduce<Sum>(
    (total, row) =>
      Object.fromEntries(FIELDS.map((field) => [field, total[field] + row[field]])) as Sum,
    NONE,
  );
}
