import { fileURLToPath } from 'node:url';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { startServer } from '../../test/support/server-process.ts';
import { openProduct, type Product, settingsOf } from '../checkout.ts';
import { IN_FLIGHT, type Measured, measureRounds } from '../load/measure.ts';
import type { RequestKind } from '../load/requests.ts';
import type { Part } from '../part.ts';
import type { Engine, Place } from '../places.ts';
import { orDash, short, table, whole } from '../report/markdown.ts';
import { ratio, type Target } from '../report/report.ts';

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

type Cell = Measured & { readonly by: string; readonly operation: Operation };

export type SpeedFigures = {
  readonly members: number;
  readonly checkouts: readonly string[];
  readonly cells: readonly Cell[];
};

const SECONDS = 3;
const WARM_UP_SECONDS = 5;
const ROUNDS = 4;

export function speedPart(engine: Engine): Part {
  const members = engine === 'embedded' ? 100_000 : 1_000_000;
  return {
    name: engine,
    writes: RESULTS,
    scale: { members, seconds: SECONDS, 'warm-up': WARM_UP_SECONDS, rounds: ROUNDS },
    async measure({ checkouts, newPlace, log }) {
      const products: Product[] = [];
      for (const checkout of checkouts)
        products.push(await openProduct(checkout, await newPlace(engine), { members }));
      const baseline = await startBaseline(await newPlace(engine), members, await sizeOf(products));
      const jobs = operations.flatMap((operation) => {
        const { kind, baseline: isProduct } = OPERATIONS[operation];
        const load = {
          kind,
          inFlight: IN_FLIGHT,
          seconds: SECONDS,
          warmUpSeconds: WARM_UP_SECONDS,
        };
        const targets = isProduct ? products : [baseline];
        return targets.map((target) => ({ operation, by: target.by, target, load }));
      });
      const cells = await measureRounds(jobs, { rounds: ROUNDS, log });
      const figures = { members, checkouts: checkouts.map(({ name }) => name), cells };
      return {
        section: `## ${engine}\n\n${cellTable(figures)}`,
        targets: targetsOf(engine, figures),
      };
    },
  };
}

/** Bytes of a status read. */
async function sizeOf([own]: readonly Product[]): Promise<number> {
  if (own === undefined) throw new Error('There is no checkout to measure.');
  const answer = await fetch(own.url + fillPath(apiPaths.status, own.sample.ids[0] ?? ''));
  if (!answer.ok) throw new Error(`A status read was answered ${answer.status}.`);
  return (await answer.arrayBuffer()).byteLength;
}

async function startBaseline(place: Place, rows: number, bytes: number): Promise<Product> {
  const settings = { ...settingsOf(place), ROWS: String(rows), BYTES: String(bytes) };
  const program = fileURLToPath(new URL('../load/baseline-server.ts', import.meta.url));
  const server = await startServer(settings, program, undefined, []);
  const ids: string[] = await (await fetch(`${server.url}/ids`)).json();
  const sample = { ids, codes: [], inviterCodes: [] };
  return { ...server, by: 'baseline', databaseUrl: place.databaseUrl, sample };
}

export function targetsOf(engine: Engine, { members, checkouts, cells }: SpeedFigures): Target[] {
  const at = `${engine}, ${whole(members)} members`;
  const rate = (operation: Operation) =>
    cells.find((cell) => cell.operation === operation && cell.by !== checkouts[1])?.perSecond ??
    Number.NaN;
  const beside = (what: string, atLeast: number, operation: Operation, other: Operation) =>
    ratio(`${at}: ${what}`, atLeast, rate(operation), rate(other));
  const shared = [
    beside('join beside the bare INSERT route', 1, 'join', 'bare INSERT route'),
    beside('status read beside the bare SELECT route', 1, 'status read', 'bare SELECT route'),
    beside('one hot inviter beside the mixed joins', 0.7, 'join, one hot inviter', 'join'),
  ];
  if (engine === 'embedded')
    return [
      { what: `${at}: durable joins a second`, atLeast: 1_500, measured: rate('join') },
      { what: `${at}: status reads a second`, atLeast: 3_000, measured: rate('status read') },
      ...shared,
    ];
  return [
    ...shared,
    beside('stats beside the constant route', 0.4, 'stats', 'constant route'),
    beside('verify-referral beside the constant route', 0.4, 'verify-referral', 'constant route'),
  ];
}

const COSTS = ['server µs', 'database µs'];
const HEAD = ['', 'a second', 'p50 ms', 'p99 ms', 'of its baseline', ...COSTS, 'client µs'];

export function cellTable({ cells, checkouts }: SpeedFigures): string {
  const [own = '', other] = checkouts;
  const cellOf = (operation: Operation, by: string) =>
    cells.find((cell) => cell.operation === operation && cell.by === by);
  const costsOf = (cell: Cell) => [cell.serverUs, cell.databaseUs].map((us) => orDash(us, whole));
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
        baseline === null ? '' : timesOf(cell, cellOf(baseline, 'baseline')),
        ...costsOf(cell),
        whole(cell.clientUs),
        ...(beside ? [whole(beside.perSecond), timesOf(cell, beside), ...costsOf(beside)] : []),
      ],
    ];
  });
  const besideHead = other === undefined ? [] : [`${other}: a second`, `of ${other}`, ...COSTS];
  return table([...HEAD, ...besideHead], rows);
}

function timesOf(cell: Measured, beside: Measured | undefined): string {
  return beside === undefined ? '' : (cell.perSecond / beside.perSecond).toFixed(2);
}
