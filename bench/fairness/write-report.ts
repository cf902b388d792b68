/** The figures of the labelled lines as bench/FAIRNESS.md. */
import { writeFileSync } from 'node:fs';
import { orDash, percent, short, table, whole } from '../report/markdown.ts';
import type { PartRecord } from '../report/records.ts';
import { median } from '../statistics.ts';
import type { AblationRow } from './ablation.ts';
import { type KindFigures, type Sum, sum } from './figures.ts';
import type { CheatFigures } from './http/easy-cheats.ts';
import type { SpeedFigures } from './join-speed.ts';
import { TUNED_ON } from './make-line.ts';

export type EngineFigures = {
  readonly seeds: readonly string[];
  readonly kinds: readonly KindFigures[];
  readonly cheats: readonly CheatFigures[];
  readonly ablation: readonly AblationRow[];
};

const GOALS = { recall: 0.95, honestHeld: 0.01, cheatHeld: 0.95 };

const figuresOf = ({ figures }: PartRecord) => figures as EngineFigures;
const heldShare = ({ held, credits }: Sum) => (credits === 0 ? 0 : held / credits);

/** One sentence each. */
export function missedGoals(record: PartRecord): string[] {
  const { kinds, cheats } = figuresOf(record);
  const honest = sum(kinds.filter(({ isHonest }) => isHonest));
  const cheated = sum(kinds.filter(({ isHonest }) => !isHonest));
  const missed = [
    ...(heldShare(cheated) >= GOALS.recall
      ? []
      : [`${percent(heldShare(cheated))} of the false credits are held.`]),
    ...(heldShare(honest) <= GOALS.honestHeld
      ? []
      : [`${percent(heldShare(honest))} of the honest credits are held.`]),
    ...(honest.refused === 0 ? [] : [`${honest.refused} honest joins were refused.`]),
    ...cheats
      .filter(({ given, friends }) => given > friends * (1 - GOALS.cheatHeld))
      .map(({ name, given }) => `${name}: ${given} credits are given.`),
  ];
  return missed.map((goal) => `${record.part}: ${goal}`);
}

type Records = { readonly lines: readonly PartRecord[]; readonly speeds: readonly PartRecord[] };

export function writeFairnessReport({ lines, speeds }: Records, path: string): void {
  const [first] = lines;
  const [firstSpeed] = speeds;
  if (first === undefined) return;
  writeFileSync(
    path,
    `# Held credits

\`npm run fairness\`: labelled lines against a real server with defaults, through its HTTP API and
its JSON export. Each visitor comes through a proxy on this machine with an address, browser
headers, page loads and pauses of their own; a proof of work that is asked for is solved. The rules
were tuned on the seeds ${TUNED_ON.join(', ')} and never saw those that are reported here.
[0084](../docs/decisions/0084-fraud-signals.md) has the rules, and what is simulated.

Goals: at least ${percent(GOALS.recall)} of false credits held, at most ${percent(GOALS.honestHeld)}
of honest ones, no honest join refused.

${lines.map(reportEngine).join('\n\n')}

## Without each rule

By the rules alone, in one process, on the same lines: share of false credits held in the join, and
after looking back; share of honest credits held after looking back.

${reportAblation(figuresOf(first).ablation)}
${firstSpeed === undefined ? '' : reportSpeed(firstSpeed, speeds)}`,
  );
}

const engineOf = ({ part }: PartRecord) => (part.endsWith('embedded') ? 'Embedded' : 'PostgreSQL');

const conditionsOf = (record: PartRecord) =>
  [
    `${record.machine}.`,
    `${record.at.slice(0, 10)}, ${whole(record.seconds)} s,`,
    `load average ${short(record.loadBefore)} before, ${short(record.loadAfter)} after.`,
  ].join('\n');

function reportEngine(record: PartRecord): string {
  const { kinds, seeds, cheats } = figuresOf(record);
  const attacks = kinds.filter(({ isHonest }) => !isHonest);
  const honest = kinds.filter(({ isHonest }) => isHonest);
  return `## ${engineOf(record)}

\`${record.command}\`

Seeds ${seeds.join(', ')}. ${conditionsOf(record)}

${reportAttacks(attacks, honest)}

${reportHonest(honest)}

${reportCheats(cheats)}`;
}

function reportAttacks(attacks: readonly KindFigures[], honest: readonly KindFigures[]): string {
  const row = (name: string, of: Sum, held: number) => [
    name,
    ...[of.joins, of.credits, of.heldAtJoin, of.held].map(whole),
    percent(of.heldAtJoin / of.credits),
    percent(heldShare(of)),
    of.held === 0 ? '–' : percent(of.held / (of.held + held)),
  ];
  const rows = attacks.map((attack) => {
    const besides = honest.find(({ kind }) => kind === attack.kind);
    return row(attack.kind, attack, besides?.held ?? 0);
  });
  const head = ['false credits', 'joins', 'credits', 'held in the join', 'after looking back'];
  return table(
    [...head, 'recall in the join', 'recall', 'precision'],
    [...rows, row('all', sum(attacks), sum(honest).held)],
  );
}

function reportHonest(honest: readonly KindFigures[]): string {
  const row = (name: string, of: Sum) => [
    name,
    ...[of.joins, of.credits, of.heldAtJoin, of.held].map(whole),
    of.credits === 0 ? '–' : percent(heldShare(of)),
    whole(of.proven),
    whole(of.refused),
  ];
  const groups = honest.filter(({ credits }) => credits > 0);
  const owners = honest.filter(({ credits }) => credits === 0);
  const head = ['honest joins', 'joins', 'credits', 'held in the join', 'after looking back'];
  return table(
    [...head, 'share held', 'asked for a proof', 'refused'],
    [
      ...groups.map((group) => row(group.kind, group)),
      row('owners of the false codes', sum(owners)),
      row('all', sum(honest)),
    ],
  );
}

function reportCheats(cheats: readonly CheatFigures[]): string {
  const rows = cheats.map((one) => [
    one.name,
    ...[one.friends, one.neededProof, one.refused, one.given, one.held, one.pending].map(whole),
    `${whole(one.position)} of ${whole(one.line)}`,
  ]);
  const head = ['one script', 'friends', 'asked for a proof', 'refused', 'given', 'held'];
  return `One script invents all friends of one code, in a line of its own; before looking back:

${table([...head, 'pending', 'position'], rows)}`;
}

function reportAblation(rows: readonly AblationRow[]): string {
  const [all] = rows;
  const change = (share: number, full: number) => {
    const points = (share - full) * 100;
    return `${points > 0 ? '+' : points < 0 ? '−' : ''}${Math.abs(points).toFixed(2)}`;
  };
  return table(
    ['without', 'recall in the join', 'recall', 'honest held'],
    rows.map(({ without, recallAtJoin, recall, honestHeld }) =>
      without === null || all === undefined
        ? [
            '(all rules)',
            ...[recallAtJoin, recall].map(percent),
            `${(honestHeld * 100).toFixed(2)} %`,
          ]
        : [
            without,
            change(recallAtJoin, all.recallAtJoin),
            change(recall, all.recall),
            change(honestHeld, all.honestHeld),
          ],
    ),
  );
}

function reportSpeed(first: PartRecord, records: readonly PartRecord[]): string {
  const rows = records.flatMap((record) => {
    const { checkouts, ratios } = record.figures as SpeedFigures;
    const [other, own] = checkouts;
    if (other === undefined || own === undefined) return [];
    const sorted = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2));
    return [
      [
        `${engineOf(record)}, beside ${other.name}`,
        ...[other.perSecond, own.perSecond].map(whole),
        median(ratios).toFixed(2),
        `${sorted[0]} to ${sorted.at(-1)}`,
        ...[other.serverUs, own.serverUs].map((us) => orDash(us, whole)),
      ],
    ];
  });
  const { members, rounds, seconds, inFlight } = first.figures as SpeedFigures;
  const head = ['joins', 'before, a second', 'after', 'median of the rounds', 'rounds'];
  return `
## Speed of joins

\`${first.command}\`

Joins of visitors behind a proxy, half of them by a code, in a line of ${whole(members)} members,
${inFlight} in flight: ${rounds} rounds of ${seconds} s each, in turns with the commit before doubts
and states of credits. ${conditionsOf(first)}

${table([...head, 'server µs before', 'after'], rows)}
`;
}
