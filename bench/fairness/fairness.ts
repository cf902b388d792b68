/** Honest lines and attackers against a real server with defaults: who counts, at which price. */
import { brand } from '../../brand/brand.ts';
import { definePart } from '../part.ts';
import { percent, table, whole } from '../report/markdown.ts';
import { ATTACKS, SABOTAGE } from './attacks.ts';
import { ALL, countKinds, intervalOf, type KindFigures } from './figures.ts';
import { startFairServer } from './http/fair-server.ts';
import { type Frozen, type Played, playLine } from './http/play-line.ts';
import { makeLine } from './make-line.ts';
import { MOMENTS, POSITIONS, type Price, priceOf, RULES, type Yield } from './position-price.ts';

const OPTIONS = { seeds: ['held-out-1', 'held-out-2'] };

type PriceRow = {
  readonly rule: string;
  readonly moment: number;
  readonly isAfter: boolean;
  readonly prices: readonly Price[];
};

export const fairnessPart = definePart({
  name: 'fairness',
  writes: 'FAIRNESS.md',
  options: OPTIONS,
  isGate: true,
  async measure({ options: { seeds }, newPlace, log }) {
    const played = await Promise.all(
      seeds.map(async (seed) => {
        const server = await startFairServer(await newPlace('embedded'));
        const line = await playLine(server, makeLine(seed));
        await server.stop();
        log(`${seed} was played`);
        return line;
      }),
    );
    return {
      kinds: countKinds(played.flatMap(({ outcomes }) => outcomes)),
      prices: [false, true].flatMap((isAfter) => pricesOf(played, isAfter)),
    };
  },
  targets({ kinds, prices }) {
    const honestOf = (wanted: string) =>
      kinds.find(({ kind, isHonest }) => kind === wanted && isHonest) as KindFigures;
    const honest = honestOf(ALL);
    const priceAt = (position: number) =>
      prices.find(({ rule, moment, isAfter }) => rule === 'fade' && moment === 0.5 && !isAfter)
        ?.prices[POSITIONS.indexOf(position)]?.euro ?? Number.POSITIVE_INFINITY;
    return [
      { what: 'honest confirmed not counted', measured: lost(honest), atMost: 0.005 },
      {
        what: 'honest refused, challenged or slowed',
        measured: honest.refused + honest.challenged + honest.slow,
        atMost: 0,
      },
      { what: 'friends lost by sabotage', measured: lost(honestOf(SABOTAGE)), atMost: 0 },
      { what: 'fade, from the middle: EUR to the top 100', measured: priceAt(100), atLeast: 50 },
      { what: 'fade, from the middle: EUR to the top 20', measured: priceAt(20), atLeast: 500 },
    ];
  },
  describe: ({ kinds, prices }) =>
    [
      '## Who counts, at which price',
      describePrices(prices),
      describeFalse(kinds),
      describeHonest(kinds),
    ].join('\n\n'),
});

function pricesOf(played: readonly Played[], isAfter: boolean): PriceRow[] {
  const lines = played.map((line) => {
    const frozen = isAfter ? line.after : line.before;
    return { honest: standingsOf(line, frozen), yields: yieldsOf(line, frozen) };
  });
  return RULES.flatMap((rule) =>
    MOMENTS.map((moment) => ({
      ...{ rule: rule.name, moment, isAfter },
      prices: POSITIONS.map((position) => {
        const each = lines.map(({ honest, yields }) =>
          priceOf({ rule, position, moment }, honest, yields),
        );
        const found = each.filter((price) => price !== null);
        return found.toSorted((a, b) => a.euro - b.euro)[0] ?? null;
      }),
    })),
  );
}

function standingsOf({ joined }: Played, frozen: Frozen) {
  return joined
    .filter(({ visit }) => visit.isHonest)
    .map(({ id, isInvited }, index) => ({
      sequence: index + 1,
      credits: frozen.get(id) ?? 0,
      isInvited,
    }));
}

function yieldsOf({ joined }: Played, frozen: Frozen): Yield[] {
  return Object.keys(ATTACKS)
    .filter((kind) => kind !== SABOTAGE)
    .map((kind) => {
      const accounts = joined.filter(({ visit }) => visit.kind === kind);
      const best = Math.max(0, ...accounts.map(({ id }) => frozen.get(id) ?? 0));
      return { kind, counted: best, friends: accounts.length - 1 };
    });
}

const lost = ({ confirmed, counted }: KindFigures) =>
  confirmed === 0 ? 0 : (confirmed - counted) / confirmed;

function describePrices(rows: readonly PriceRow[]): string {
  const cell = (price: Price) =>
    price === null ? 'none' : `${price.euro.toFixed(0)} (${price.kind})`;
  return table(
    ['rule', 'joined after', 'operator', ...POSITIONS.map((position) => `position ${position}`)],
    rows.map(({ rule, moment, isAfter, prices }) => [
      rule === brand.lineRule.name ? `${rule} (yours)` : rule,
      percent(moment),
      isAfter ? 'after' : 'before',
      ...prices.map(cell),
    ]),
  );
}

function shareOf(part: number, all: number): string {
  if (all === 0) return '–';
  const [low, high] = intervalOf(part, all);
  return `${percent(part / all)} (${percent(low)}–${percent(high)})`;
}

function describeFalse(kinds: readonly KindFigures[]): string {
  const rows = kinds.filter(({ isHonest }) => !isHonest);
  return table(
    ['false credits', 'joined', 'held', 'confirmed', 'counted', 'share counted', 'after'],
    rows.map(({ kind, credits, held, confirmed, counted, countedAfter }) => [
      kind,
      ...[credits, held, confirmed, counted].map(whole),
      shareOf(counted, credits),
      whole(countedAfter),
    ]),
  );
}

function describeHonest(kinds: readonly KindFigures[]): string {
  const rows = kinds.filter(({ isHonest }) => isHonest);
  return table(
    [
      ...['honest', 'joins', 'credits', 'held', 'confirmed', 'counted', 'confirmed, not counted'],
      ...['counted after', 'refused', 'challenged', 'slowed'],
    ],
    rows.map((row) => [
      row.kind,
      ...[row.joins, row.credits, row.held, row.confirmed, row.counted].map(whole),
      shareOf(row.confirmed - row.counted, row.confirmed),
      ...[row.countedAfter, row.refused, row.challenged, row.slow].map(whole),
    ]),
  );
}
