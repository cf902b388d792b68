/** The product beside the baselines on one engine, in turns, at each number in flight. */
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { startBaseline } from '../baseline/start-baseline.ts';
import { fill, type Product, readSample, startProduct, writeSample } from '../checkout.ts';
import { type Measured, measure, medianOf } from '../load/closed-loop.ts';
import type { RequestKind } from '../load/requests.ts';
import { type Bench, type Part, type Report, TARGET_IN_FLIGHT } from '../part.ts';
import type { Engine } from '../places.ts';
import { orDash, short, table, whole } from '../report/markdown.ts';
import { ratio, type Target } from '../report/targets.ts';

export const RESULTS: Report = {
  file: 'RESULTS.md',
  head: `# Speed, beside baselines

Written by \`npm run bench\`. Product, baselines, database and client share one machine and take
turns: read the ratios, not the absolute numbers. Every write is durable (fsync on) on both sides.
PostgreSQL has shared_buffers of 4 GB, and is otherwise as it comes.

- **Checkpoints**: after one, the first touch of each page is written whole to the WAL. None happens
  by time or size; each run of joins or INSERTs on PostgreSQL starts with one, goes on with a
  warm-up of the same load, and only then is measured.
- **Baselines**: a bare Fastify that answers constant bytes of the same length; one with a
  primary-key SELECT; and one with a durable single-row INSERT. Their table has as many rows as the
  line has members.
- **Product**: the server as it starts with nothing but a database. Limits are on (an address of the
  machine itself has none of its own). Each join queues its mail, which is stored as files at the
  default rate of 10 a second, so the sender works during every measurement.
- **Joins** carry an Idempotency-Key. Every other one is invited, by members drawn as often as they
  have invited before: a few invite most. With one hot inviter, all are invited by the member who
  has most friends.
- **Client**: one process, whose connections send a request as soon as the last is answered. An
  answer with another status than 2xx, or that belongs to another request, fails the run. µs are
  processor time an operation: they say why, also when the machine is noisy.`,
};

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
  readonly answerBytes: number;
  readonly checkouts: readonly string[];
  readonly cells: readonly Cell[];
};

const COMMON = { inFlight: [1, 16, 64, 256], seconds: 3, warmUp: 5, rounds: 3 };
type Options = typeof COMMON;
/** Other numbers in flight than the targets' get one round, of this share of the time. */
const CURVE_SHARE = 1 / 3;

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
  describe: (figures, options) => describeSpeed('Embedded', figures, options),
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
  describe: (figures, options) => describeSpeed('PostgreSQL', figures, options),
};

async function measureEngine(
  { options, checkouts, newPlace, log }: Bench<Options>,
  engine: Engine,
  members: number,
): Promise<SpeedFigures> {
  const { seconds, warmUp, rounds } = options;
  const products: (Product & { sampleFile: string; by: string })[] = [];
  for (const checkout of checkouts) {
    const place = await newPlace(engine);
    await fill(checkout, place, members);
    const sampleFile = await writeSample(checkout, place);
    products.push({ ...(await startProduct(checkout, place)), sampleFile, by: checkout.name });
  }
  const [own] = products;
  if (own === undefined) throw new Error('There is no checkout to measure.');
  const [id = ''] = readSample(own.sampleFile).ids;
  const answer = await fetch(own.url + fillPath(apiPaths.status, id));
  if (!answer.ok) throw new Error(`A status read was answered ${answer.status}.`);
  const answerBytes = (await answer.arrayBuffer()).byteLength;
  const size = { rows: members, bytes: answerBytes };
  const baseline = { ...(await startBaseline(await newPlace(engine), size)), by: 'baseline' };

  const cells: Cell[] = [];
  for (const inFlight of options.inFlight) {
    const isTarget = inFlight === TARGET_IN_FLIGHT;
    const share = isTarget ? 1 : CURVE_SHARE;
    const times = { seconds: seconds * share, warmUpSeconds: warmUp * share };
    const jobs = operations.flatMap((operation) => {
      const { kind, baseline: isProduct } = OPERATIONS[operation];
      const targets = isProduct ? products : [baseline];
      const load = { kind, inFlight, ...times };
      return targets.map((target) => ({ operation, target, load, runs: [] as Measured[] }));
    });
    for (let round = 0; round < (isTarget ? rounds : 1); round += 1)
      for (const { target, load, runs } of jobs) runs.push(await measure(target, load));
    for (const { operation, target, runs } of jobs)
      cells.push({ operation, by: target.by, inFlight, ...medianOf(runs) });
    log(`${inFlight} in flight measured`);
  }
  for (const server of [...products, baseline]) await server.stop();
  return { members, answerBytes, checkouts: checkouts.map(({ name }) => name), cells };
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

function describeSpeed(title: string, figures: SpeedFigures, options: Options): string {
  const { members, answerBytes, cells } = figures;
  const tables = [...new Set(cells.map(({ inFlight }) => inFlight))].map(
    (inFlight) => `**${inFlight} in flight**\n\n${cellTable(figures, inFlight)}`,
  );
  return `## ${title}, ${whole(members)} members

At ${TARGET_IN_FLIGHT} in flight, medians of ${options.rounds} rounds of ${options.seconds} s after
a warm-up of ${options.warmUp} s (reads, and all of the embedded engine: a third); at other numbers,
one round of a third of that time. A status read answers ${answerBytes} bytes. The line grows by the
joins that are measured.

${tables.join('\n\n')}`;
}

const COSTS = ['server µs', 'database µs'];

function cellTable({ cells, checkouts }: SpeedFigures, inFlight: number): string {
  const [own = '', other] = checkouts;
  const cellOf = (operation: Operation | null, by = 'baseline') =>
    cells.find(
      (cell) => cell.operation === operation && cell.inFlight === inFlight && cell.by === by,
    );
  const rows = operations.flatMap((operation) => {
    const { baseline } = OPERATIONS[operation];
    const cell = cellOf(operation, baseline === null ? 'baseline' : own);
    if (cell === undefined) return [];
    const beside = other === undefined ? undefined : cellOf(operation, other);
    const costs = ({ serverUs, databaseUs }: Cell) => [serverUs, databaseUs].map(showUs);
    return [
      [
        operation,
        whole(cell.perSecond),
        short(cell.p50Ms),
        short(cell.p99Ms),
        timesOf(cell, cellOf(baseline)),
        ...costs(cell),
        whole(cell.clientUs),
        ...(beside ? [whole(beside.perSecond), timesOf(cell, beside), ...costs(beside)] : []),
      ],
    ];
  });
  const head = ['', 'a second', 'p50 ms', 'p99 ms', 'of its baseline', ...COSTS, 'client µs'];
  const besideHead = other === undefined ? [] : [`${other}: a second`, `of ${other}`, ...COSTS];
  return table([...head, ...besideHead], rows);
}

const showUs = (us: number | null) => orDash(us, whole);

function timesOf(cell: Measured, beside: Measured | undefined): string {
  return beside === undefined ? '' : (cell.perSecond / beside.perSecond).toFixed(2);
}
