/** Honest lines and attackers against a real server with defaults: who counts. */
import { brand } from '../../brand/brand.ts';
import { definePart } from '../part.ts';
import { percent, table, whole } from '../report/markdown.ts';
import { SABOTAGE } from './attacks.ts';
import { ALL, countKinds, intervalOf, type KindFigures } from './figures.ts';
import { startFairServer } from './http/fair-server.ts';
import { playLine } from './http/play-line.ts';
import { makeLine } from './make-line.ts';

export const fairnessPart = definePart({
  name: 'fairness',
  writes: 'FAIRNESS.md',
  options: { seeds: ['held-out-1', 'held-out-2'] },
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
    const kinds = countKinds(played.flat());
    const tables = [describeFalse(kinds), describeHonest(kinds), describeDraw(kinds)];
    return { section: ['## Who counts', ...tables].join('\n\n'), targets: targetsOf(kinds) };
  },
});

function targetsOf(kinds: readonly KindFigures[]) {
  const honestOf = (wanted: string) =>
    kinds.find(({ kind, isHonest }) => kind === wanted && isHonest) as KindFigures;
  const honest = honestOf(ALL);
  return [
    { what: 'honest confirmed not counted', measured: lost(honest), atMost: 0.005 },
    {
      what: 'honest refused, challenged or slowed',
      measured: honest.refused + honest.challenged + honest.slow,
      atMost: 0,
    },
    { what: 'friends lost by sabotage', measured: lost(honestOf(SABOTAGE)), atMost: 0 },
  ];
}

const lost = ({ confirmed, counted }: KindFigures) =>
  confirmed === 0 ? 0 : (confirmed - counted) / confirmed;

function shareOf(part: number, all: number): string {
  if (all === 0) return '–';
  const [low, high] = intervalOf(part, all);
  return `${percent(part / all)} (${percent(low)}–${percent(high)})`;
}

function describeFalse(kinds: readonly KindFigures[]): string {
  const rows = kinds.filter(({ isHonest }) => !isHonest);
  return table(
    ['false credits', 'joined', 'confirmed', 'counted', 'share counted'],
    rows.map(({ kind, credits, confirmed, counted }) => [
      kind,
      ...[credits, confirmed, counted].map(whole),
      shareOf(counted, credits),
    ]),
  );
}

function describeHonest(kinds: readonly KindFigures[]): string {
  const rows = kinds.filter(({ isHonest }) => isHonest);
  return table(
    [
      ...['honest', 'joins', 'credits', 'confirmed', 'counted', 'confirmed, not counted'],
      ...['refused', 'challenged', 'slowed'],
    ],
    rows.map((row) => [
      row.kind,
      ...[row.joins, row.credits, row.confirmed, row.counted].map(whole),
      shareOf(row.confirmed - row.counted, row.confirmed),
      ...[row.refused, row.challenged, row.slow].map(whole),
    ]),
  );
}

/** A kind gets its share of the weights: no ticket weighs enough to be drawn noticeably earlier. */
function describeDraw(kinds: readonly KindFigures[]): string {
  const all = kinds.reduce((sum, { kind, weight }) => sum + (kind === ALL ? weight : 0), 0);
  return table(
    ['draw', 'joins', 'entrants', 'tickets', `masks of ${brand.maskCount}`],
    kinds.map(({ kind, isHonest, joins, entrants, weight }) => [
      isHonest ? kind : `${kind}, false`,
      ...[joins, entrants].map(whole),
      (weight / 2).toFixed(1),
      ((brand.maskCount * weight) / all).toFixed(1),
    ]),
  );
}
