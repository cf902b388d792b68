/** Labelled lines, honest and not, against a real server with defaults. */
import { brand } from '../../brand/brand.ts';
import type { Fairness } from '../../brand/brand-shape.ts';
import type { Part, Report } from '../part.ts';
import type { Engine } from '../places.ts';
import { percent, table, whole } from '../report/markdown.ts';
import { type Counts, countKinds, type KindFigures, onlyOf, sum } from './figures.ts';
import {
  type CheatFigures,
  cheat,
  oneProvider,
  spellings,
  unreachable,
} from './http/easy-cheats.ts';
import { type FairServer, startFairServer } from './http/fair-server.ts';
import { playLine } from './http/play-line.ts';
import { judge } from './in-process.ts';
import { makeLine, TUNED_ON } from './make-line.ts';
import type { KnownVisit } from './visit.ts';

const OPTIONS = { seeds: ['unseen-1', 'unseen-2'] };
const GOALS = { held: 0.95, honestHeld: 0.01, cheatHeld: 0.95 };

const REPORT: Report = {
  file: 'FAIRNESS.md',
  head: `# Held credits

\`npm run fairness\`: labelled lines against a real server with defaults, through its HTTP API and
its JSON export. Each visitor comes through a proxy on this machine with an address, browser
headers, page loads and pauses of their own; a required proof of work is solved. The rules were
tuned on the seeds ${TUNED_ON.join(', ')}, and not on the reported ones.
[0084](../docs/decisions/0084-fraud-signals.md) has the rules, and what is simulated.`,
};

/** Shares of credits that are held: false ones in the join and in the end, and honest ones. */
type AblationRow = { readonly without: string; readonly shares: readonly number[] };

type FairnessFigures = {
  readonly kinds: readonly KindFigures[];
  readonly cheats: readonly CheatFigures[];
  readonly ablation: readonly AblationRow[];
};

export const fairnessPart = (engine: Engine): Part<typeof OPTIONS, FairnessFigures> => ({
  name: `fairness-${engine}`,
  writes: REPORT,
  options: OPTIONS,
  isGate: true,
  /** Plays all lines at once, each on a server of its own: most of the time is waiting. */
  async measure({ options: { seeds }, newPlace, log }) {
    const lines = seeds.map((seed) => makeLine(seed));
    async function withServer<Result>(
      settings: Readonly<Record<string, string>>,
      use: (server: FairServer) => Promise<Result>,
    ): Promise<Result> {
      const server = await startFairServer(await newPlace(engine), settings);
      const result = await use(server);
      await server.stop();
      return result;
    }
    const cheats = [
      withServer({}, (server) => cheat(server, oneProvider(seeds[0] ?? ''), { friends: 3_000 })),
      withServer({}, (server) => cheat(server, unreachable, { friends: 100 })),
      withServer({ REFERRAL_CREDIT: 'confirm' }, (server) =>
        cheat(server, spellings, { friends: 100, isConfirming: true }),
      ),
    ];
    const outcomes = lines.map((line, index) =>
      withServer({}, async (server) => {
        const played = await playLine(server, line);
        log(`${seeds[index]} was played`);
        return played;
      }),
    );
    const all = await Promise.all([Promise.all(outcomes), Promise.all(cheats)]);
    const ablation = ablate(lines, brand.fairness);
    return { kinds: countKinds(all[0].flat()), cheats: all[1], ablation };
  },
  targets({ kinds, cheats }) {
    const [cheated, honest] = [sum(onlyOf(kinds, 'false')), sum(onlyOf(kinds, 'honest'))];
    return [
      { what: `${engine}: false credits held`, measured: heldShare(cheated), atLeast: GOALS.held },
      { what: `${engine}: honest held`, measured: heldShare(honest), atMost: GOALS.honestHeld },
      { what: `${engine}: honest joins refused`, measured: honest.refused, atMost: 0 },
      ...cheats.map(({ name, given, friends }) => ({
        what: `${engine}: ${name}: credits given`,
        measured: given,
        atMost: Math.round(friends * (1 - GOALS.cheatHeld)),
      })),
    ];
  },
  describe({ kinds, cheats, ablation }, { seeds }) {
    const honest = onlyOf(kinds, 'honest');
    const groups = honest.filter(({ credits }) => credits > 0);
    const owners = honest.filter(({ credits }) => credits === 0);
    return `## ${engine}

Seeds ${seeds.join(', ')}.

${describeKinds('false credits', onlyOf(kinds, 'false'))}

${describeKinds('honest joins', [...groups, { ...sum(owners), kind: 'owners of false codes' }])}

One script invents all friends of one code, in a line of its own; before re-evaluation:

${describeCheats(cheats)}

### ${engine}, without each rule

By the rules alone, in one process, on the same lines: share of false credits held in the join, and
after re-evaluation; share of honest credits held after re-evaluation.

${describeAblation(ablation)}`;
  },
});

function ablate(lines: readonly (readonly KnownVisit[])[], fairness: Fairness): AblationRow[] {
  const names = Object.keys(fairness.rules) as (keyof Fairness['rules'])[];
  const rowOf = (without: string, rules: Fairness['rules']) => {
    const kinds = countKinds(lines.flatMap((line) => judge(line, { ...fairness, rules })));
    const [cheated, honest] = [sum(onlyOf(kinds, 'false')), sum(onlyOf(kinds, 'honest'))];
    const atJoin = cheated.heldAtJoin / cheated.credits;
    return { without, shares: [atJoin, heldShare(cheated), heldShare(honest)] };
  };
  return [
    rowOf('(all rules)', fairness.rules),
    ...names.map((name) => {
      const { rules } = fairness;
      return rowOf(name, { ...rules, [name]: { ...rules[name], weight: 0 } });
    }),
  ];
}

const heldShare = ({ held, credits }: Counts) => (credits === 0 ? 0 : held / credits);

function describeKinds(title: string, kinds: readonly (Counts & { kind: string })[]): string {
  const row = (name: string, counts: Counts) => [
    name,
    ...[counts.joins, counts.credits, counts.heldAtJoin, counts.held].map(whole),
    counts.credits === 0 ? '–' : percent(counts.heldAtJoin / counts.credits),
    counts.credits === 0 ? '–' : percent(heldShare(counts)),
    whole(counts.proven),
    whole(counts.refused),
  ];
  const head = [title, 'joins', 'credits', 'held in the join', 'after re-evaluation', 'share'];
  return table(
    [...head, 'share after', 'needed a proof', 'refused'],
    [...kinds.map((counts) => row(counts.kind, counts)), row('all', sum(kinds))],
  );
}

function describeCheats(cheats: readonly CheatFigures[]): string {
  const head = ['one script', 'friends', 'needed a proof', 'refused', 'given', 'held', 'pending'];
  const rows = cheats.map((one) => [
    one.name,
    ...[one.friends, one.neededProof, one.refused, one.given, one.held, one.pending].map(whole),
    `${whole(one.position)} of ${whole(one.line)}`,
  ]);
  return table([...head, 'position'], rows);
}

function describeAblation([all, ...rows]: readonly AblationRow[]): string {
  const points = (share: number, index: number) =>
    ((share - (all?.shares[index] ?? Number.NaN)) * 100).toFixed(2);
  return table(
    ['without', 'recall in the join', 'recall', 'honest held'],
    [
      ['(all rules)', ...(all?.shares ?? []).map(percent)],
      ...rows.map(({ without, shares }) => [without, ...shares.map(points)]),
    ],
  );
}
