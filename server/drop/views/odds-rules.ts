/** Odds of a mask, by playing many times what may come next. `random` is from 0 to 1. */
import { triesOf } from '../../../contract/drop/draw-hash-rules.ts';
import { drawOrder, takeSize } from '../../../contract/drop/draw-order-rules.ts';
import type { Announcement, DrawEntrant } from '../../../contract/drop/draw-record.ts';

type Wish = Pick<DrawEntrant, 'sizes' | 'takes_any'>;
type Random = () => number;

/** Bounds how long a server is busy with the odds of a drop, to about a tenth of a second. */
const MAX_STEPS = 1_000_000;
const MAX_PLAYS = 2_000;

/**
 * By position: 1 for entrants by rank, absent behind the draw. Equal wishes have equal odds where
 * weights are equal. A ticket is in the hat once for each try, and counts when it first comes out.
 */
export function drawOdds(
  entrants: readonly DrawEntrant[],
  rule: Pick<Announcement, 'masks' | 'by_rank' | 'drawn_among'>,
  random: Random,
): { masks: number; among: number; odds: ReadonlyMap<number, number> } {
  const left = new Map(rule.masks.map(({ size, masks }) => [size, masks]));
  const odds = new Map<number, number>();
  for (const { position, size } of drawOrder(entrants, rule, null)) {
    if (size === null) continue;
    left.set(size, (left.get(size) ?? 0) - 1);
    odds.set(position, 1);
  }
  const groups = new Map<string, { wish: Wish; positions: number[]; won: number }>();
  const drawn = entrants
    .filter(({ position }) => position <= rule.drawn_among && !odds.has(position))
    .map(({ position, sizes, takes_any, ...weighted }) => {
      const tries = triesOf(weighted);
      const key = JSON.stringify([sizes, takes_any, tries]);
      const group = groups.get(key) ?? { wish: { sizes, takes_any }, positions: [], won: 0 };
      group.positions.push(position);
      groups.set(key, group);
      return { group, tries, lastPlay: 0 };
    });
  const hat = drawn.flatMap((ticket) => Array.from({ length: ticket.tries }, () => ticket));
  const masks = [...left.values()].reduce((sum, count) => sum + count, 0);
  const plays = play((number) => {
    const stock = new Map(left);
    let next = 0;
    for (let free = masks; next < hat.length && free > 0; next++) {
      const other = next + Math.floor(random() * (hat.length - next));
      const ticket = hat[other] as (typeof hat)[number];
      hat[other] = hat[next] as typeof ticket;
      hat[next] = ticket;
      if (ticket.lastPlay === number) continue;
      ticket.lastPlay = number;
      if (takeSize(stock, ticket.group.wish) === null) continue;
      ticket.group.won++;
      free--;
    }
    return next;
  });
  for (const { positions, won } of groups.values())
    for (const position of positions) odds.set(position, won / plays / positions.length);
  return { masks, among: drawn.length, odds };
}

/** Plays are numbered from 1. */
function play(once: (number: number) => number): number {
  let plays = 0;
  for (let steps = 0; plays < MAX_PLAYS && steps < MAX_STEPS; ) steps += once(++plays);
  return plays;
}
