/** A member's place in a draw is computed in the browser, so no request says who looks. */
import { scoreOf, ticketOf } from '../../contract/drop/draw-hash-rules.ts';
import { listTaking } from '../../contract/drop/draw-order-rules.ts';
import type { DrawPlace, DrawRecord } from '../../contract/drop/draw-record.ts';
import { randomnessFrom } from '../../contract/drop/randomness-rules.ts';

export type OwnPlace = {
  readonly ticket: string;
  readonly position: number | null;
  /** Half tickets; null in a record without weights. */
  readonly weight: number | null;
  readonly losses: number;
  /** Null in a drop that nobody enters by card. */
  readonly hasEntered: boolean | null;
  readonly place: number | null;
  readonly size: string | null;
  readonly score: string | null;
  /** The greatest score that got a mask; drawn tickets below it get one if a size is left. */
  readonly cutOff: string | null;
};

export function findOwnPlace(
  record: DrawRecord,
  order: readonly DrawPlace[] | null,
  memberId: string,
): OwnPlace {
  const ticket = ticketOf(record.salt, memberId);
  const entrant = record.entrants.find((candidate) => candidate.ticket === ticket);
  const { position = null, weight = null, losses = 0 } = entrant ?? {};
  const hasEntered = record.entered?.includes(position ?? 0) ?? null;
  const entry = { ticket, position, weight, losses, hasEntered };
  const index = order?.findIndex((place) => place.position === position) ?? -1;
  if (order === null || position === null || index === -1)
    return { ...entry, place: null, size: null, score: null, cutOff: null };
  const scores = scoreDrawn(record, order);
  const chosen = order.flatMap((place) =>
    place.size === null ? [] : (scores.get(place.position) ?? []),
  );
  return {
    ...entry,
    place: index + 1,
    size: order[index]?.size ?? null,
    score: scores.get(position) ?? null,
    cutOff: chosen.toSorted().at(-1) ?? null,
  };
}

function scoreDrawn(
  { announcement, evidence, ...record }: DrawRecord,
  order: readonly DrawPlace[],
): ReadonlyMap<number, string> {
  if (announcement === null || announcement.randomness.source === 'none') return new Map();
  const randomness = randomnessFrom(announcement.randomness, evidence ?? '');
  if (randomness === null) return new Map();
  const first = order.slice(0, announcement.by_rank).filter(({ size }) => size !== null);
  const byRank = new Set(first.map(({ position }) => position));
  return new Map(
    listTaking(record)
      .filter(({ position }) => position <= announcement.drawn_among && !byRank.has(position))
      .map((entrant) => [entrant.position, scoreOf(randomness, entrant)]),
  );
}

export function readOwnId(text: string): string | null {
  const found = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text);
  return found === null ? null : found[0].toLowerCase();
}
