/** Odds of a mask, by playing many times what may come next. `random` is from 0 to 1. */
import { drawOrder, takeSize } from '../../../contract/drop/draw-order-rules.ts';
import type { Announcement, DrawEntrant } from '../../../contract/drop/draw-record.ts';

type Wish = Pick<DrawEntrant, 'sizes' | 'takes_any'>;
type Random = () => number;

/** Bounds how long a server is busy with the odds of a drop, to about a tenth of a second. */
const MAX_STEPS = 1_000_000;
const MAX_PLAYS = 2_000;

/**
 * `odds` are the shares of draws that give a mask, by position: 1 for those who get one by rank;
 * absent behind the draw. Entrants with the same wish have the same odds. `masks` are drawn among
 * `among` entrants.
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
    add(left, size, -1);
    odds.set(position, 1);
  }
  const groups = new Map<string, { wish: Wish; positions: number[]; won: number }>();
  const hat = entrants
    .filter(({ position }) => position <= rule.drawn_among && !odds.has(position))
    .map(({ position, sizes, takes_any }) => {
      const key = JSON.stringify([sizes, takes_any]);
      const group = groups.get(key) ?? { wish: { sizes, takes_any }, positions: [], won: 0 };
      group.positions.push(position);
      groups.set(key, group);
      return group;
    });
  const masks = countLeft(left);
  const plays = play(() => {
    const stock = new Map(left);
    let next = 0;
    for (let free = masks; next < hat.length && free > 0; next++) {
      const other = next + Math.floor(random() * (hat.length - next));
      const group = hat[other] as (typeof hat)[number];
      hat[other] = hat[next] as typeof group;
      hat[next] = group;
      if (takeSize(stock, group.wish) === null) continue;
      group.won++;
      free--;
    }
    return next;
  });
  for (const { positions, won } of groups.values())
    for (const position of positions) odds.set(position, won / plays / positions.length);
  return { masks, among: hat.length, odds };
}

/** An offer whose time is over. `afterMs`: when it was answered, or its whole time. */
export type Answer = { readonly isTaken: boolean; readonly afterMs: number };
export type OpenOffer = { readonly size: string; readonly ageMs: number };

type Offering = {
  readonly answers: readonly Answer[];
  readonly open: readonly OpenOffer[];
  readonly free: readonly { readonly name: string; readonly available: number }[];
  /** Wishes of entrants without an offer, in draw order. */
  readonly waiting: readonly Wish[];
};

/** A smaller sample says little about the next answers. */
const MIN_ANSWERS = 50;

/**
 * The odds that a mask comes to each of those who wait, if offers go on until every mask is taken.
 * Null while there are too few answers.
 */
export function returnOdds(
  { answers, open, free, waiting }: Offering,
  random: Random,
): readonly number[] | null {
  if (answers.length < MIN_ANSWERS) return null;
  const reached = waiting.map(() => 0);
  const plays = play(() => {
    let steps = 0;
    const rateOf = guessRates(answers, random);
    const rate = rateOf(0);
    const stock = new Map(free.map(({ name, available }) => [name, Math.max(0, available)]));
    for (const { size, ageMs } of open) if (random() < rateOf(ageMs)) add(stock, size, 1);
    let queue = waiting.map((_, index) => index);
    for (
      let masks = countLeft(stock), taken = 1;
      masks > 0 && taken > 0;
      masks = countLeft(stock)
    ) {
      const passed: number[] = [];
      const dropped: string[] = [];
      let next = 0;
      for (taken = 0; next < queue.length && taken < masks; next++) {
        const index = queue[next] as number;
        const size = takeSize(stock, waiting[index] as Wish);
        if (size === null) {
          passed.push(index);
          continue;
        }
        taken++;
        reached[index] = (reached[index] ?? 0) + 1;
        if (random() < rate) dropped.push(size);
      }
      steps += next;
      queue = [...passed, ...queue.slice(next)];
      for (const size of dropped) add(stock, size, 1);
    }
    return steps;
  });
  return reached.map((times) => times / plays);
}

/**
 * Returns the rate of masks that are not taken, of offers that are still open at an age: most who
 * accept do so early. It is that of a sample of the answers, which is as unsure as they are few,
 * with one in four left of two more that are made up.
 */
function guessRates(answers: readonly Answer[], random: Random): (ageMs: number) => number {
  const sample = answers.map(() => answers[Math.floor(random() * answers.length)] as Answer);
  return (ageMs) => {
    const open = sample.filter(({ afterMs }) => afterMs >= ageMs);
    return (open.filter(({ isTaken }) => !isTaken).length + 0.5) / (open.length + 2);
  };
}

function add(stock: Map<string, number>, size: string, masks: number): void {
  stock.set(size, (stock.get(size) ?? 0) + masks);
}

function countLeft(stock: ReadonlyMap<string, number>): number {
  return [...stock.values()].reduce((sum, masks) => sum + masks, 0);
}

/** Plays until the steps that each play returns are many, and returns how many plays there were. */
function play(once: () => number): number {
  let plays = 0;
  for (let steps = 0; plays < MAX_PLAYS && steps < MAX_STEPS; plays++) steps += once();
  return plays;
}
