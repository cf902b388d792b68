/**
 * Told odds are compared with what comes in made-up drops: 2,000 of them in `npm run test:long`. Of
 * those who are told 30 to 40 %, so many must get a mask.
 */
import { expect, test } from 'vitest';
import { seedRandom } from '../../../brand/art/seeded-random.ts';
import { drawOrder } from '../../../contract/drop/draw-order-rules.ts';
import type { DrawEntrant } from '../../../contract/drop/draw-record.ts';
import { isLong } from '../../../test/support/test-form.ts';
import { drawOdds } from './odds-rules.ts';

/** Points by which each tenth of the told odds may differ from what came. */
const MAX_OFF = 2;

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

function makeDrop() {
  const masks = ['Small', 'Medium', 'Large'].map((size) => ({ size, masks: whole(1, 16) }));
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  const shareWithWish = random();
  const entrants = Array.from(
    { length: whole(total, 4 * total) },
    (_, index): DrawEntrant => ({
      position: index + 1,
      ticket: drawSeed(),
      points: 0,
      weight: whole(2, 5),
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
    expectHonest(): void {
      const off = bins.map(({ told, came, all }) => Math.round((1000 * (came - told)) / all) / 10);
      expect(bins.filter(({ all }) => all < 20)).toEqual([]);
      expect(
        off.filter((points) => Math.abs(points) > MAX_OFF),
        `${off}`,
      ).toEqual([]);
    },
  };
}

test('of all who are told odds of a draw, so many are drawn', { timeout: 60_000 }, () => {
  const bins = openBins(isLong ? 10 : 5);
  for (let drop = 0; drop < (isLong ? 2_000 : 300); drop++) {
    const { entrants, rule } = makeDrop();
    const { odds } = drawOdds(entrants, rule, random);
    for (const { position, size } of drawOrder(entrants, rule, drawSeed())) {
      const told = odds.get(position) ?? 0;
      if (told === 0 || told === 1) expect(size !== null).toBe(told === 1);
      else bins.add(told, size === null ? 0 : 1);
    }
  }
  bins.expectHonest();
});

test('odds are as heavy as the ticket, and told for each entrant', () => {
  const ticket = { ticket: '', points: 0, ...ANY };
  const entrants = [2, 5, 3].map((weight, index) => ({ ...ticket, position: index + 1, weight }));
  const rule = { masks: [{ size: 'Small', masks: 1 }], by_rank: 0, drawn_among: 3 };
  const { among, odds } = drawOdds(entrants, rule, random);
  expect(among).toBe(3);
  // By Hoeffding's inequality one of 30,000 seeds makes 2,000 plays differ by so much.
  for (const { position, weight } of entrants)
    expect(Math.abs((odds.get(position) ?? 0) - weight / 10)).toBeLessThan(0.055);
});
