/** The product beside the baselines on one engine, in turns, at each number in flight. */
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { startBaseline } from '../baseline/start-baseline.ts';
import { type FilledProduct, openProduct, readSample } from '../checkout.ts';
import { type Measured, measureRounds } from '../load/closed-loop.ts';
import type { RequestKind } from '../load/requests.ts';
import { type Bench, type Part, TARGET_IN_FLIGHT } from '../part.ts';
import type { Engine } from '../places.ts';
import { orDash, short, table, whole } from '../report/markdown.ts';
import { ratio, type Target } from '../report/targets.ts';

export const RESULTS = 'RESULTS.md';

const OPERATIONS = {
  'constant route': { kind: 'constant', baseline: null },
  'bare SELECT route': { kind: 'select', baseline: null },
  'bare INSERT route': { kind: 'insert', baseline: null },
  'status read': { kind: 'status', baseline: 'bare SELECT route' },
  join: { kind: 'join', baseline: 'bare INSERT route' },
  'join, one hot inviter': { kind: 'hot-join', baseline: 'bare INSERT route' },
  stats: { kind: 'stats', baseline: 'constant route' },
  'verify-referral': { kind: 'verify-referral', baseline: 'constant route' },
} as const satisfies Record<string, { kind: RequestKind; baseline: string | null }>;
export type Operation = keyof typeof OPERATIONS;
const operations = Object.keys(OPERATIONS) as Operation[];

type Cell = Measured & {
  readonly by: string;
  readonly operation: Operation;
  readonly inFlight: number;
};

export type SpeedFigures = {
  readonly members: number;
  readonly checkouts: readonly string[];
  readonly cells: readonly Cell[];
};

const COMMON = { inFlight: [TARGET_IN_FLIGHT], seconds: 3, warmUp: 5, rounds: 3 };
type Options = typeof COMMON;

export const embeddedPart: Part<Options & { embeddedMembers: number }, SpeedFigures> = {
  name: 'embedded',
  writes: RESULTS,
  options: { embeddedMembers: 100_000, ...COMMON },
  measure: (bench) => measureEngine(bench, 'embedded', bench.options.embeddedMembers),
  targets(figures) {
    const rate = rateOf(figures);
    const at = `Embedded, ${whole(figures.members)} members`;
    return [
      { what: `${at}: durable joins a second`, atLeast: 1_500, measured: rate('join') },
      { what: `${at}: status reads a second`, atLeast: 3_000, measured: rate('status read') },
      ...sharedTargets(at, rate),
    ];
  },
  describe: (figures) => `## Embedded\n\n${cellTable(figures)}`,
};

export const postgresPart: Part<Options & { members: number }, SpeedFigures> = {
  name: 'postgres',
  writes: RESULTS,
  options: { members: 1_000_000, ...COMMON },
  measure: (bench) => measureEngine(bench, 'postgres', bench.options.members),
  targets(figures) {
    const rate = rateOf(figures);
    const at = `PostgreSQL, ${whole(figures.members)} members`;
    const besideHalf = (operation: Operation) => {
      const half = rate('constant route') / 2;
      return ratio(
        `${at}: ${operation} beside half the constant route`,
        0.8,
        rate(operation),
        half,
      );
    };
    return [...sharedTargets(at, rate), besideHalf('stats'), besideHalf('verify-referral')];
  },
  describe: (figures) => `## PostgreSQL\n\n${cellTable(figures)}`,
};

async function measureEngine(
  { options, checkouts, newPlace, log }: Bench<Options>,
  engine: Engine,
  members: number,
): Promise<SpeedFigures> {
  const { inFlight: numbers, seconds, warmUp, rounds } = options;
  const products: FilledProduct[] = [];
  for (const checkout of checkouts)
    products.push(await openProduct(checkout, await newPlace(engine), { members }));
  const [own] = products;
  if (own === undefined) throw new Error('There is no checkout to measure.');
  const [id = ''] = readSample(own.sampleFile).ids;
  const answer = await fetch(own.url + fillPath(apiPaths.status, id));
  if (!answer.ok) throw new Error(`A status read was answered ${answer.status}.`);
  const answerBytes = (await answer.arrayBuffer()).byteLength;
  const size = { rows: members, bytes: answerBytes };
  const baseline = { ...(await startBaseline(await newPlace(engine), size)), by: 'baseline' };

  const jobs = numbers.flatMap((inFlight) =>
    operations.flatMap((operation) => {
      const { kind, baseline: isProduct } = OPERATIONS[operation];
      const load = { kind, inFlight, seconds, warmUpSeconds: warmUp };
      const targets = isProduct ? products : [baseline];
      return targets.map((target) => ({ operation, inFlight, by: target.by, target, load }));
    }),
  );
  const cells = await measureRounds(jobs, { rounds, log });
  for (const server of [...products, baseline]) await server.stop();
  return { members, checkouts: checkouts.map(({ name }) => name), cells };
}

function sharedTargets(at: string, rate: (operation: Operation) => number): Target[] {
  const beside = (what: string, atLeast: number, operation: Operation, other: Operation) =>
    ratio(`${at}: ${what}`, atLeast, rate(operation), rate(other));
  return [
    beside('join beside the bare INSERT route', 1, 'join', 'bare INSERT route'),
    beside('status read beside the bare SELECT route', 1, 'status read', 'bare SELECT route'),
    beside('one hot inviter beside the mixed joins', 0.7, 'join, one hot inviter', 'join'),
  ];
}

function rateOf({ cells, checkouts }: SpeedFigures): (operation: Operation) => number {
  const own = cells.filter(
    ({ by, inFlight }) => by !== checkouts[1] && inFlight === TARGET_IN_FLIGHT,
  );
  return (operation) => own.find((cell) => cell.operation === operation)?.perSecond ?? Number.NaN;
}

const COSTS = ['server µs', 'database µs'];

function cellTable({ cells, checkouts }: SpeedFigures): string {
  const [own = '', other] = checkouts;
  const isOwn = ({ by, operation }: Cell) =>
    by === (OPERATIONS[operation].baseline === null ? 'baseline' : own);
  const rows = cells.filter(isOwn).map((cell) => {
    const { operation, inFlight } = cell;
    const cellOf = (wanted: Operation | null, by = 'baseline') =>
      cells.find((one) => one.operation === wanted && one.inFlight === inFlight && one.by === by);
    const { baseline } = OPERATIONS[operation];
    const beside = other === undefined ? undefined : cellOf(operation, other);
    const costs = ({ serverUs, databaseUs }: Cell) => [serverUs, databaseUs].map(showUs);
    return [
      operation,
      whole(inFlight),
      whole(cell.perSecond),
      short(cell.p50Ms),
      short(cell.p99Ms),
      timesOf(cell, cellOf(baseline)),
      ...costs(cell),
      whole(cell.clientUs),
      ...(beside ? [whole(beside.perSecond), timesOf(cell, beside), ...costs(beside)] : []),
    ];
  });
  const head = [
    '',
    'in flight',
    'a second',
    'p50 ms',
    'p99 ms',
    'of its baseline',
    ...COSTS,
    'client µs',
  ];
  const besideHead = other === undefined ? [] : [`${other}: a second`, `of ${other}`, ...COSTS];
  return table([...head, ...besideHead], rows);
}

const showUs = (us: number | null) => orDash(us, whole);

function timesOf(cell: Measured, beside: Measured | undefined): string {
  return beside === undefined ? '' : (cell.perSecond / beside.perSecond).toFixed(2);
}
