/** Honest lines and attackers against a real server with defaults: who counts. */
import { brand } from '../../brand/brand.ts';
import { weightOf } from '../../contract/drop/weight-rules.ts';
import type { Part } from '../part.ts';
import { percent, table, whole } from '../report/markdown.ts';
import { OTHERS, SABOTAGE } from './attacks.ts';
import { ALL, countKinds, intervalOf, type KindFigures } from './figures.ts';
import { startFairServer } from './http/fair-server.ts';
import { playLine } from './http/play-line.ts';
import { makeLine } from './make-line.ts';

const SEEDS = ['held-out-1', 'held-out-2'];

export const fairnessPart: Part = {
  name: 'fairness',
  writes: 'FAIRNESS.md',
  scale: { seeds: SEEDS.join(' ') },
  isGate: true,
  async measure({ newPlace, log }) {
    const played = await Promise.all(
      SEEDS.map(async (seed) => {
        const server = await startFairServer(await newPlace('embedded'));
        const line = await playLine(server, makeLine(seed));
        await server.stop();
        log(`${seed} was played`);
        return line;
      }),
    );
    const kinds = countKinds(played.flat());
    const tables = [
      describeFalse(kinds),
      describeHonest(kinds),
      describeDraw(kinds),
      describeMoney(kinds, SEEDS.length),
    ];
    return { section: ['## Who counts', ...tables].join('\n\n'), targets: targetsOf(kinds) };
  },
};

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
    {
      what: 'friends lost by sabotage',
      measured: Math.max(...[SABOTAGE, OTHERS].map((kind) => lost(honestOf(kind)))),
      atMost: 0,
    },
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

/** Assumed: one that confirms, of a known provider. */
const MAILBOX_EUR = 0.02;
const MASK_EUR = 80;
const FRIENDS_OF_CARD = 25;

/** What a cheat with so much money gets in the proposed draw of one line, by these prices alone. */
function describeMoney(kinds: readonly KindFigures[], lines: number): string {
  const honest = kinds.find(({ kind, isHonest }) => kind === ALL && isHonest);
  const honestWeight = (honest?.weight ?? 0) / lines;
  const masks = (weight: number, entering = 1) =>
    ((brand.maskCount * weight) / (honestWeight * entering + weight)).toFixed(1);
  const cardEur = MASK_EUR + FRIENDS_OF_CARD * MAILBOX_EUR;
  return table(
    [
      ...['money of a cheat', 'mailboxes', `masks of ${brand.maskCount}, without cards`],
      ...[`cards, at a price of ${MASK_EUR} EUR`, 'masks, with cards'],
      'masks, if half of the honest enter a card',
    ],
    [50, 500].map((eur) => {
      const mailboxes = Math.floor(eur / MAILBOX_EUR);
      const cards = Math.floor(eur / cardEur);
      const cardWeight = cards * weightOf(FRIENDS_OF_CARD);
      return [
        `${eur} EUR`,
        ...[whole(mailboxes), masks(mailboxes * weightOf(0))],
        ...[whole(cards), masks(cardWeight), masks(cardWeight, 0.5)],
      ];
    }),
  );
}
