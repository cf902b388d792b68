/** The product beside the baselines on one engine, in turns, at each number in flight. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiPaths } from '../../contract/paths.ts';
import { startBaseline } from '../baseline/start-baseline.ts';
import {
  type Checkout,
  type Filled,
  fill,
  type Place,
  type Product,
  startProduct,
  writeSample,
} from '../checkout.ts';
import { type Measured, measure, medianOf, type Target } from '../load/closed-loop.ts';
import type { RequestKind } from '../load/requests.ts';
import type { Sample } from '../members/read-sample.ts';
import { orDash, short, table, whole } from '../report/markdown.ts';
import type { Lines } from '../report/plot.ts';
import { ratio, type Target as SpeedTarget } from '../report/targets.ts';
import { type Bench, type Part, TARGET_IN_FLIGHT } from './part.ts';

/** Baselines first. */
const OPERATIONS = {
  'constant route': { kind: 'constant', baseline: null },
  'bare SELECT route': { kind: 'select', baseline: null },
  'bare INSERT route': { kind: 'insert', baseline: null },
  'many-row INSERT route': { kind: 'insert-many', baseline: null },
  'status read': { kind: 'status', baseline: 'bare SELECT route' },
  join: { kind: 'join', baseline: 'bare INSERT route' },
  'join, one hot inviter': { kind: 'hot-join', baseline: 'bare INSERT route' },
  stats: { kind: 'stats', baseline: 'constant route' },
  'verify-referral': { kind: 'verify-referral', baseline: 'constant route' },
} as const satisfies Record<string, { kind: RequestKind; baseline: string | null }>;
export type Operation = keyof typeof OPERATIONS;
const operations = Object.keys(OPERATIONS) as Operation[];

/** `by` is the name of a checkout, or `baseline`. */
type Cell = Measured & {
  readonly by: string;
  readonly operation: Operation;
  readonly inFlight: number;
};

export type SpeedFigures = {
  readonly engine: string;
  readonly members: number;
  /** Of a status read's answer, and of the constant one. */
  readonly answerBytes: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rounds: number;
  /** This one first. */
  readonly checkouts: readonly string[];
  readonly cells: readonly Cell[];
};

/** At other numbers in flight than the targets', one round of a third of the time: a curve. */
const CURVE_SHARE = 1 / 3;

export const embeddedPart: Part<SpeedFigures> = {
  name: 'embedded',
  async measure(bench) {
    const members = bench.options.embeddedMembers;
    const placeOf = (name: string) => ({ dataDir: join(bench.folder, name), databaseUrl: null });
    const subjects = await eachCheckout(bench, (checkout) =>
      fill(checkout, placeOf(checkout.name), members),
    );
    return await measureEngine(bench, 'embedded', subjects, placeOf('baseline'));
  },
  report: (figures) => reportSpeed('Embedded', 'embedded', figures),
  plots: (figures) => ({ embedded: plotSpeed('Embedded', figures) }),
  targets(figures) {
    const rate = rateOf(figures);
    const at = `Embedded, ${whole(figures.members)} members`;
    const own = (what: string, atLeast: number, measured: number): SpeedTarget => ({
      what: `${at}: ${what}`,
      atLeast,
      measured,
      of: null,
    });
    return [
      own('durable joins a second', 1_500, rate('join')),
      own('status reads a second', 3_000, rate('status read')),
      ...sharedTargets(at, rate),
    ];
  },
};

export const postgresPart: Part<SpeedFigures> = {
  name: 'postgres',
  async measure(bench) {
    const postgres = await bench.postgres();
    const subjects = await eachCheckout(bench, (checkout) =>
      postgres.copyOf(checkout, bench.options.members),
    );
    const baselinePlace = await postgres.createEmpty('baseline');
    const figures = await measureEngine(bench, postgres.description, subjects, baselinePlace);
    for (const place of [...subjects.map(({ filled }) => filled), baselinePlace])
      await postgres.drop(place);
    return figures;
  },
  report: (figures) => reportSpeed('PostgreSQL', 'postgres', figures),
  plots: (figures) => ({ postgres: plotSpeed('PostgreSQL', figures) }),
  targets(figures) {
    const rate = rateOf(figures);
    const at = `PostgreSQL, ${whole(figures.members)} members`;
    const half = rate('constant route') / 2;
    return [
      ...sharedTargets(at, rate),
      ratio(`${at}: stats beside half of the constant route`, 0.8, rate('stats'), half),
      ratio(
        `${at}: verify-referral beside half of the constant route`,
        0.8,
        rate('verify-referral'),
        half,
      ),
    ];
  },
};

async function eachCheckout(
  { checkouts }: Bench,
  make: (checkout: Checkout) => Promise<Filled>,
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const checkout of checkouts) subjects.push({ checkout, filled: await make(checkout) });
  return subjects;
}

type Subject = { readonly checkout: Checkout; readonly filled: Filled };

async function measureEngine(
  bench: Bench,
  engine: string,
  subjects: readonly Subject[],
  baselinePlace: Place,
): Promise<SpeedFigures> {
  const { seconds, warmUpSeconds, rounds, inFlight: numbersInFlight } = bench.options;
  const products: (Product & { sampleFile: string; by: string })[] = [];
  for (const { checkout, filled } of subjects) {
    const sampleFile = await writeSample(checkout, filled);
    const product = await startProduct(checkout, filled);
    products.push({ ...product, sampleFile, by: checkout.name });
  }
  const [own] = products;
  if (own === undefined) throw new Error('There is no checkout to measure.');
  const members = subjects[0]?.filled.members ?? 0;
  const answerBytes = await readAnswerBytes(own);
  const baseline = {
    ...(await startBaseline(baselinePlace, { rows: members, bytes: answerBytes })),
    by: 'baseline',
  };

  const cells: Cell[] = [];
  for (const inFlight of numbersInFlight) {
    const isTarget = inFlight === TARGET_IN_FLIGHT;
    const share = isTarget ? 1 : CURVE_SHARE;
    const times = { seconds: seconds * share, warmUpSeconds: warmUpSeconds * share };
    const jobs = operations.flatMap((operation) => {
      const { kind, baseline: isProduct } = OPERATIONS[operation];
      const load =
        kind === 'insert-many'
          ? { kind, inFlight: 1, rows: inFlight, ...times }
          : { kind, inFlight, ...times };
      const targets = isProduct ? products : [baseline];
      return targets.map((target) => ({ operation, target, load, runs: [] as Measured[] }));
    });
    for (let round = 0; round < (isTarget ? rounds : 1); round += 1)
      for (const { target, load, runs } of jobs) runs.push(await measure(target, load));
    for (const { operation, target, runs } of jobs)
      cells.push({ operation, by: target.by, inFlight, ...medianOf(runs) });
    bench.log(`${engine}: ${inFlight} in flight measured`);
  }
  for (const subject of [...products, baseline]) await subject.stop();
  const checkouts = subjects.map(({ checkout }) => checkout.name);
  return { engine, members, answerBytes, seconds, warmUpSeconds, rounds, checkouts, cells };
}

async function readAnswerBytes({ port, sampleFile }: Target): Promise<number> {
  const { ids } = JSON.parse(readFileSync(sampleFile, 'utf8')) as Sample;
  const answer = await fetch(`http://127.0.0.1:${port}${apiPaths.status(ids[0] ?? '')}`);
  if (!answer.ok) throw new Error(`A status read was answered ${answer.status}.`);
  return (await answer.arrayBuffer()).byteLength;
}

function sharedTargets(at: string, rate: (operation: Operation) => number): SpeedTarget[] {
  const beside = (what: string, atLeast: number, operation: Operation, other: Operation) =>
    ratio(`${at}: ${what}`, atLeast, rate(operation), rate(other));
  return [
    beside('join beside the bare INSERT route', 1, 'join', 'bare INSERT route'),
    beside('status read beside the bare SELECT route', 1, 'status read', 'bare SELECT route'),
    beside('one hot inviter beside the mixed joins', 0.7, 'join, one hot inviter', 'join'),
  ];
}

/** Of this checkout and the baselines, at the number in flight of the targets. */
function rateOf({ cells, checkouts }: SpeedFigures): (operation: Operation) => number {
  const own = cells.filter(
    ({ by, inFlight }) => by !== checkouts[1] && inFlight === TARGET_IN_FLIGHT,
  );
  return (operation) => own.find((cell) => cell.operation === operation)?.perSecond ?? Number.NaN;
}

function plotSpeed(title: string, { members, cells, checkouts }: SpeedFigures): Lines {
  const drawn: Operation[] = ['status read', 'join', 'bare SELECT route', 'bare INSERT route'];
  const shown = cells.filter(
    ({ operation, by }) => drawn.includes(operation) && by !== checkouts[1],
  );
  return {
    title: `${title}, ${whole(members)} members`,
    x: 'requests in flight',
    points: shown.map(({ operation, by, inFlight, perSecond, p99Ms }) => ({
      series: operation,
      isBaseline: by === 'baseline',
      x: inFlight,
      perSecond,
      p99Ms,
    })),
  };
}

function reportSpeed(title: string, plot: string, figures: SpeedFigures): string {
  const { engine, members, seconds, warmUpSeconds, rounds, answerBytes, cells } = figures;
  const numbersInFlight = [...new Set(cells.map(({ inFlight }) => inFlight))];
  const tables = numbersInFlight.map(
    (inFlight) => `**${inFlight} in flight**\n\n${cellTable(figures, inFlight)}`,
  );
  return `## ${title}, ${whole(members)} members

${engine}. At ${TARGET_IN_FLIGHT} in flight, medians of ${rounds} rounds of ${seconds} s after a
warm-up of ${warmUpSeconds} s (reads, and all of the embedded engine: a third); at other numbers,
one round of a third of that time. A status read answers ${answerBytes} bytes. The line grows by the
joins that are measured.

![Throughput and 99th percentile against requests in flight](plots/${plot}.svg)

${tables.join('\n\n')}`;
}

/** The rates of a second checkout, if any, stand beside this one's. */
function cellTable({ cells, checkouts }: SpeedFigures, inFlight: number): string {
  const [own = '', other] = checkouts;
  const cellOf = (operation: Operation | null, by: string) =>
    cells.find(
      (cell) => cell.operation === operation && cell.inFlight === inFlight && cell.by === by,
    );
  const rows = operations.flatMap((operation) => {
    const { baseline } = OPERATIONS[operation];
    const cell = cellOf(operation, baseline === null ? 'baseline' : own);
    if (cell === undefined) return [];
    const beside = other === undefined ? undefined : cellOf(operation, other);
    return [
      [
        operation,
        whole(cell.perSecond),
        short(cell.p50Ms),
        short(cell.p99Ms),
        timesOf(cell, cellOf(baseline, 'baseline')),
        orDash(cell.serverUs, whole),
        orDash(cell.databaseUs, whole),
        whole(cell.clientUs),
        ...(beside === undefined
          ? []
          : [
              whole(beside.perSecond),
              timesOf(cell, beside),
              orDash(beside.serverUs, whole),
              orDash(beside.databaseUs, whole),
            ]),
      ],
    ];
  });
  const head = ['', 'a second', 'p50 ms', 'p99 ms', 'of its baseline', ...COSTS, 'client µs'];
  const besideHead = other === undefined ? [] : [`${other}: a second`, `of ${other}`, ...COSTS];
  return table([...head, ...besideHead], rows);
}

const COSTS = ['server µs', 'database µs'];

function timesOf(cell: Measured, beside: Measured | undefined): string {
  return beside === undefined ? '' : (cell.perSecond / beside.perSecond).toFixed(2);
}
