/** Honest lines and attackers against a real server with defaults: who counts. */
import { brand } from '../../brand/brand.ts';
import { weightOf } from '../../contract/drop/weight-rules.ts';
import type { Part } from '../part.ts';
import { percent, table, whole } from '../report/markdown.ts';
import { CARDS, OTHERS, SABOTAGE } from './attacks.ts';
import { ALL, countKinds, intervalOf, type KindFigures } from './figures.ts';
import { startFairServer } from './http/fair-server.ts';
import { type CardDraw, playCards } from './http/play-cards.ts';
import { playLine } from './http/play-line.ts';
import { makeLine } from './make-line.ts';

/** Seeds, and of how many honest entrants one enters a card. */
const LINES = [
  ['held-out-1', 1],
  ['held-out-2', 2],
] as const;
/** Honest people of the line that the goal is for, of which those that are played have fewer. */
const GOAL_PEOPLE = 2_250;

export const fairnessPart: Part = {
  name: 'fairness',
  writes: 'FAIRNESS.md',
  scale: { seeds: LINES.map(([seed]) => seed).join(' ') },
  isGate: true,
  async measure({ newPlace, log }) {
    const played = await Promise.all(
      LINES.map(async ([seed, oneIn]) => {
        const server = await startFairServer(await newPlace('embedded'));
        const line = await playLine(server, makeLine(seed));
        log(`${seed} was frozen`);
        const draw = await playCards(server, line, oneIn);
        await server.stop();
        log(`${seed} was drawn`);
        return { line, draw };
      }),
    );
    const kinds = countKinds(played.flatMap(({ line }) => line));
    const draws = played.map(({ draw }) => draw);
    const tables = [
      describeFalse(kinds),
      describeHonest(kinds),
      describeDraw(kinds),
      describeMoney(kinds),
      describeCards(draws),
    ];
    return { section: ['## Who counts', ...tables].join('\n\n'), targets: targetsOf(kinds, draws) };
  },
};

function targetsOf(kinds: readonly KindFigures[], draws: readonly CardDraw[]) {
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
    {
      what: `mailboxes that a cheat with ${CARDS} cards entered`,
      measured: Math.max(...draws.map(({ groups }) => sumOf(groups.slice(1), 'entered'))),
      atMost: CARDS,
    },
    {
      what: `masks of 500 EUR, where ${whole(GOAL_PEOPLE)} honest people enter by card`,
      measured: Math.max(
        ...draws.flatMap(({ oneIn, people, groups }) =>
          oneIn === 1 ? masksOf(groups, GOAL_PEOPLE / people) : [],
        ),
      ),
      atMost: 1.1,
    },
    {
      what: 'cards still held, or charged without a mask',
      measured: draws.reduce((sum, { wrong }) => sum + wrong, 0),
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

/** What a cheat with this much money gets in a draw of one line without cards, by price alone. */
function describeMoney(kinds: readonly KindFigures[]): string {
  const honest = kinds.find(({ kind, isHonest }) => kind === ALL && isHonest);
  const honestWeight = (honest?.weight ?? 0) / LINES.length;
  return table(
    ['money of a cheat without cards', 'mailboxes', `masks of ${brand.maskCount}`],
    [50, 500].map((eur) => {
      const mailboxes = Math.floor(eur / MAILBOX_EUR);
      const weight = mailboxes * weightOf(0);
      const masks = (brand.maskCount * weight) / (honestWeight + weight);
      return [`${eur} EUR`, whole(mailboxes), masks.toFixed(1)];
    }),
  );
}

type Groups = CardDraw['groups'];

const sumOf = (groups: Groups, what: 'entered' | 'weight') =>
  groups.reduce((sum, group) => sum + group[what], 0);

/** Masks of a cheat by the share of the weights, were there so many times the honest tickets. */
function masksOf([honest, ...cheat]: Groups, times = 1): number {
  const weight = sumOf(cheat, 'weight');
  return (brand.maskCount * weight) / ((honest?.weight ?? 0) * times + weight);
}

function describeCards(draws: readonly CardDraw[]): string {
  return table(
    ['drawn among cards', 'mailboxes', 'entered', 'tickets', 'masks by weight', 'masks drawn'],
    draws.flatMap(({ groups }, nth) =>
      groups.map(({ group, mailboxes, entered, weight, masks }) => [
        `${group}, ${LINES[nth]?.[0]}`,
        ...[mailboxes, entered].map(whole),
        (weight / 2).toFixed(1),
        ((brand.maskCount * weight) / sumOf(groups, 'weight')).toFixed(1),
        whole(masks),
      ]),
    ),
  );
}
