/**
 * Told odds are compared with what comes in made-up drops: 2,000 of them in `npm run test:long`. Of
 * those who are told 30 to 40 %, so many must get a mask.
 */
import { expect, test } from 'vitest';
import { seedRandom } from '../../../brand/art/seeded-random.ts';
import { drawOrder, takeSize } from '../../../contract/drop/draw-order-rules.ts';
import type { DrawEntrant } from '../../../contract/drop/draw-record.ts';
import { drawOdds, returnOdds } from './odds-rules.ts';

const isLong = process.env.LONG === '1';
/** Points by which each tenth of the told odds may differ from what came. */
const MAX_OFF = 2;
/** The same of each fifth, where few drops leave it to chance. */
const MAX_OFF_OF_FEW = 6;
/** The rest of a drop is played so often after its odds were told. */
const ENDINGS = 10;

const { between, chance, pick } = seedRandom('odds');
const random = () => between(0, 1);
const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
const drawSeed = () => Array.from({ length: 64 }, () => whole(0, 15).toString(16)).join('');

type Wish = Pick<DrawEntrant, 'sizes' | 'takes_any'>;

const ANY: Wish = { sizes: [], takes_any: true };
const WISHES: readonly [Wish, ...Wish[]] = [
  { sizes: ['Medium', 'Small'], takes_any: true },
  { sizes: ['Small'], takes_any: false },
  { sizes: ['Large', 'Medium'], takes_any: false },
];

function makeDrop(most: number) {
  const masks = ['Small', 'Medium', 'Large'].map((size) => ({ size, masks: whole(1, most) }));
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  const shareWithWish = random();
  const entrants = Array.from(
    { length: whole(total, 4 * total) },
    (_, index): DrawEntrant => ({
      ...{ position: index + 1, ticket: drawSeed(), points: 0 },
      ...(chance(shareWithWish) ? pick(WISHES) : ANY),
    }),
  );
  const drawn_among = whole(Math.ceil(entrants.length / 2), entrants.length);
  return { entrants, rule: { masks, by_rank: whole(0, total - 1), drawn_among } };
}

function openBins(count: number) {
  const bins = Array.from({ length: count }, () => ({ told: 0, came: 0, all: 0 }));
  return {
    add(odds: number, came: number): void {
      const bin = bins[Math.min(count - 1, Math.floor(odds * count))];
      if (bin === undefined) return;
      bin.told += odds;
      bin.came += came;
      bin.all++;
    },
    expectHonest(maxOff: number): void {
      const off = bins.map(({ told, came, all }) => Math.round((1000 * (came - told)) / all) / 10);
      expect(bins.filter(({ all }) => all < 20)).toEqual([]);
      expect(
        off.filter((points) => Math.abs(points) > maxOff),
        `${off}`,
      ).toEqual([]);
    },
  };
}

test('of all who are told odds of a draw, so many are drawn', { timeout: 60_000 }, () => {
  const bins = openBins(isLong ? 10 : 5);
  for (let drop = 0; drop < (isLong ? 2_000 : 300); drop++) {
    const { entrants, rule } = makeDrop(16);
    const { odds } = drawOdds(entrants, rule, random);
    for (const { position, size } of drawOrder(entrants, rule, drawSeed())) {
      const told = odds.get(position) ?? 0;
      if (told === 0 || told === 1) expect(size !== null).toBe(told === 1);
      else bins.add(told, size === null ? 0 : 1);
    }
  }
  bins.expectHonest(MAX_OFF);
});

type Offer = { size: string; at: number; isTaken: boolean; endsAt: number };

/** Offers last 1. Most of those who accept do so early, and most others never answer. */
function makeOffer(size: string, at: number, rate: number): Offer {
  const isTaken = !chance(rate);
  return { size, at, isTaken, endsAt: at + (isTaken || chance(0.4) ? random() ** 2 : 1) };
}

type Waiting = { readonly place: number; readonly wish: Wish };

/** A drop that is offering: each mask that is not taken goes on at once. */
function openOffering(stock: Map<string, number>, queue: readonly Waiting[], rate: number) {
  const made: Offer[] = [];
  let open: Offer[] = [];
  let waiting = queue;

  function offer(one: Offer): void {
    made.push(one);
    open.push(one);
  }

  return {
    made,
    offer,
    open: () => open,
    waiting: () => waiting,
    stock,
    playUntil(end: number): void {
      for (;;) {
        const [first] = open.toSorted((a, b) => a.endsAt - b.endsAt);
        if (first === undefined || first.endsAt > end) return;
        open = open.filter((one) => one !== first);
        if (first.isTaken) continue;
        stock.set(first.size, (stock.get(first.size) ?? 0) + 1);
        const next = waiting.find(({ wish }) => {
          const size = takeSize(stock, wish);
          if (size !== null) offer(makeOffer(size, first.endsAt, rate));
          return size !== null;
        });
        waiting = waiting.filter((one) => one !== next);
      }
    },
  };
}

function startOffering(rate: number) {
  const { entrants, rule } = makeDrop(50);
  const stock = new Map(rule.masks.map(({ size, masks }) => [size, masks]));
  const order = drawOrder(entrants, rule, drawSeed()).map(({ position, size }, place) => {
    const { sizes, takes_any } = entrants[position - 1] ?? ANY;
    return { size, place, wish: { sizes, takes_any } };
  });
  for (const one of order) one.size ??= takeLeft(one);
  function takeLeft({ wish }: Waiting): string | null {
    const given = new Map(stock);
    for (const { size } of order) if (size !== null) given.set(size, (given.get(size) ?? 0) - 1);
    return takeSize(given, wish);
  }
  const offering = openOffering(
    stock,
    order.filter(({ size }) => size === null),
    rate,
  );
  for (const { size } of order) {
    if (size === null) continue;
    stock.set(size, (stock.get(size) ?? 0) - 1);
    offering.offer(makeOffer(size, 0, rate));
  }
  return offering;
}

test('of all who are told odds of a mask that comes back, so many get one', {
  timeout: 600_000,
}, () => {
  const bins = openBins(isLong ? 10 : 5);
  for (let drop = 0; drop < (isLong ? 2_000 : 100); drop++) {
    const rate = between(0.05, 0.6);
    const offering = startOffering(rate);
    const now = between(1, 2.5);
    offering.playUntil(now);
    const [open, waiting] = [offering.open(), offering.waiting()];
    const odds = returnOdds(
      {
        answers: offering.made
          .filter(({ at }) => at + 1 <= now)
          .map(({ at, isTaken, endsAt }) => ({ isTaken, afterMs: endsAt - at })),
        open: open.map(({ size, at }) => ({ size, ageMs: now - at })),
        free: [...offering.stock].map(([name, available]) => ({ name, available })),
        waiting: waiting.map(({ wish }) => wish),
      },
      random,
    );
    if (odds === null) continue;
    const left = new Map<number, number>();
    for (let ending = 0; ending < ENDINGS; ending++) {
      const rest = openOffering(new Map(offering.stock), waiting, rate);
      for (const { size, at } of open) {
        let again = makeOffer(size, at, rate);
        while (again.endsAt <= now) again = makeOffer(size, at, rate);
        rest.offer(again);
      }
      rest.playUntil(Number.POSITIVE_INFINITY);
      for (const { place } of rest.waiting()) left.set(place, (left.get(place) ?? 0) + 1);
    }
    for (const [index, { place }] of waiting.entries())
      bins.add(odds[index] ?? 0, 1 - (left.get(place) ?? 0) / ENDINGS);
  }
  bins.expectHonest(isLong ? MAX_OFF : MAX_OFF_OF_FEW);
});

test('odds of a mask that comes back are told once fifty offers are over', () => {
  const tell = (count: number) =>
    returnOdds(
      {
        answers: Array.from({ length: count }, () => ({ isTaken: true, afterMs: 1 })),
        open: [{ size: 'Small', ageMs: 1 }],
        free: [],
        waiting: [ANY, { sizes: ['Large'], takes_any: false }],
      },
      random,
    );
  expect(tell(49)).toBeNull();
  const [first = 1, other = 1] = tell(50) ?? [];
  expect(first).toBeLessThan(0.6);
  expect(other).toBe(0);
});
