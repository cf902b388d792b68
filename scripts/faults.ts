/** `npm run faults`: the fault tests in their long form. Writes docs/FAULTS.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One line of JSON from test/faults/fault-record.ts. */
type FaultRecord = {
  fault: string;
  trials: number;
  acknowledged: number;
  lost: number;
  duplicated: number;
  readyMs: number[];
};

/** One line of JSON from test/faults/overload. */
type OverloadRecord = {
  engine: string;
  times: number;
  capacity: number;
  seconds: number;
  offered: number;
  unsent: number;
  accepted: { perSecond: number; p99Ms: number };
  refused: { count: number; p99Ms: number; worstMs: number };
  memoryBytes: { before: number; peak: number; after: number };
  normalAfterMs: number;
  acknowledged: number;
  lost: number;
};

/** One line of JSON from test/faults/overload/floods.test.ts: joins beside the flood of a route. */
type FloodRecord = {
  flooded: string;
  sent: number;
  answered: { count: number; p50Ms: number; p99Ms: number; worstMs: number };
};

/** One line of JSON from test/faults/restart.test.ts. Times in ms. */
type StartsRecord = { members: number; starts: Readonly<Record<StartPart, number>>[] };

const START_PARTS = [
  'modulesMs',
  'engineMs',
  'recoveryMs',
  'fsyncMs',
  'restMs',
  'readyMs',
] as const;
type StartPart = (typeof START_PARTS)[number];

const TABLE = fileURLToPath(new URL('../docs/FAULTS.md', import.meta.url));
const STARTS = 'Where a start after SIGKILL spends its time';
const OVERLOAD = 'Overload';
const FLOODS = 'Floods';
const HEAD =
  '| Fault | Trials | Acknowledged | Lost | Duplicated | Ready after, median | worst | Date |';
const OVERLOAD_HEAD =
  '| Overload | Capacity | Offered | Goodput | of capacity | Accepted, p99 | Refused | p99 | ' +
  'worst | Memory before | peak | after | Normal after | Acknowledged | Lost | Date |';
const FLOODS_HEAD = '| Flooded | Joins | Answered | p50 | p99 | Longest | Date |';
const STARTS_HEAD =
  '| Starts after SIGKILL | Starts | Modules | Engine | Recovery | of it fsync | ' +
  'Rest | Ready after | Load average | Date |';
type Measured = FaultRecord | OverloadRecord | FloodRecord | StartsRecord;

const folder = mkdtempSync(join(tmpdir(), 'waitlist-faults-'));
const record = join(folder, 'record');

const FULL_FORMS = [
  'test/faults',
  'test/hostile',
  'test/http',
  'test/limits',
  'test/mail',
  'server/mail/notifications',
  'server/members/list',
  'test/browser/accessibility.test',
  'test/browser/mail-pages',
  'test/browser/second-brand',
  'test/console',
];

const chosen = process.argv.slice(2);
const run = spawnSync(
  'vitest',
  // One file at a time: times to ready assume a machine to itself.
  [
    'run',
    ...['--project', 'database', '--project', 'browser'],
    '--no-file-parallelism',
    ...(chosen.length > 0 ? chosen : FULL_FORMS),
  ],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, FAULTS: 'full', FAULTS_RECORD: record },
  },
);
if (existsSync(record)) writeTable(readFileSync(record, 'utf8').trim().split('\n'));
rmSync(folder, { recursive: true });
process.exitCode = run.status ?? 1;

/** Keeps the rows of faults that did not run this time, and sections that are not written here. */
function writeTable(lines: readonly string[]): void {
  const rows = new Map<string, string>();
  const written = existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : '';
  // A row with other columns was written by an older version of this script.
  const fitsHead = (row: string) => countCells(row) === countCells(headOf(row));
  const dated = written.split('\n').filter((line) => /^\| .*\d{4}-\d\d-\d\d \|$/.test(line));
  for (const row of dated.filter(fitsHead)) rows.set(nameOf(row), row);
  for (const line of lines) {
    const row = rowOf(JSON.parse(line) as Measured);
    rows.set(nameOf(row), row);
  }
  const heads = [HEAD, STARTS_HEAD, OVERLOAD_HEAD, FLOODS_HEAD];
  const [table, starts, overloads, floods] = heads.map((head) =>
    tableOf(
      head,
      [...rows.values()].filter((row) => headOf(row) === head),
    ),
  );
  writeFileSync(
    TABLE,
    `# Faults

\`npm run faults\` breaks the server, its database, their disk, network and clock, and the mail
server, while visitors join. Then it compares what is left with every answer that visitors got.

- **Lost**: acknowledged, and not there afterwards.
- **Duplicated**: there twice, or never acknowledged.
- **Ready after**: from the fault to the first 200 from \`/readyz\`. For mail: until the last
  waiting mail is sent. For a moved clock: until the next join.

\`npm run faults test/faults/kill.test.ts\` runs one file and replaces its rows. Power cuts and full
disks need Linux and root, a moved clock needs libfaketime.

Machine: ${machine()}.
Load average over the last 15 minutes, faults and all other work: ${loadavg()[2]?.toFixed(1)}.
It delays every start.

${table}

## ${STARTS}

On the embedded engine, with nobody asking meanwhile, as on a quiet machine. Medians; the parts need
not add up. \`npm run faults test/faults/restart.test.ts\`

- **Modules**: until the engine is loaded. The end of the old process, Node, our modules, settings.
- **Engine**: until its WebAssembly runs. Its functions are compiled when first called, so later.
- **Recovery**: until PostgreSQL takes the first statement.
- **Rest**: until the first 200 from \`/readyz\`. Checks of the database, routes, listening.

${[starts, ...otherSections(written)].join('\n\n')}

## ${OVERLOAD}

For a minute, visitors offer two or five times the load that the server serves when 256 visitors ask
again as soon as they are answered. Of ten requests seven are joins, two are status reads, and one
is the landing page, at random moments, on 4,000 connections. The visitors have one core, server and
database the others. HAProxy, where it is named, runs as \`deploy/haproxy.cfg\` has it, on all
cores.

- **Goodput**: requests per second that got the answer they asked for.
- **Accepted, p99** and **Refused**: times count from the moment at which a request was due, also
  when no connection was free for it. A refusal is a 503 with \`Retry-After\`.
- **Memory** of the server's process: before the overload, at its peak, and after at most a minute
  of rest.
- **Normal after**: until 20 joins in a row each took less than 100 ms.

${overloads}

## ${FLOODS}

One visitor asks for one route on 1,500 connections, again as soon as they are answered, while 20
people a second join from addresses of their own. On the embedded engine; the flood has one core,
the server the others. \`npm run faults test/faults/overload/floods.test.ts\`

${floods}
`,
  );
}

function otherSections(page: string): string[] {
  return page
    .split(/^(?=## )/m)
    .filter((part) => /^## /.test(part) && !part.startsWith(`## ${STARTS}`))
    .filter((part) => ![OVERLOAD, FLOODS].some((title) => part.startsWith(`## ${title}`)))
    .map((part) => part.trimEnd());
}

function headOf(row: string): string {
  if (/^\| Overload, /.test(row)) return OVERLOAD_HEAD;
  if (/^\| Flood of /.test(row)) return FLOODS_HEAD;
  return /^\| Killed at /.test(row) ? STARTS_HEAD : HEAD;
}

function rowOf(measured: Measured): string {
  if ('starts' in measured) return startsRowOf(measured);
  if ('flooded' in measured) return floodRowOf(measured);
  return 'fault' in measured ? faultRowOf(measured) : overloadRowOf(measured);
}

function startsRowOf({ members, starts }: StartsRecord): string {
  const medians = START_PARTS.map((part) => {
    const sorted = starts.map((start) => start[part]).sort((a, b) => a - b);
    return `${((sorted[Math.floor(sorted.length / 2)] ?? 0) / 1000).toFixed(2)} s`;
  });
  return rowFrom([
    `Killed at ${members.toLocaleString('en')} members`,
    String(starts.length),
    ...medians,
    loadavg()[0]?.toFixed(1) ?? '',
    new Date().toISOString().slice(0, 10),
  ]);
}

function faultRowOf({
  fault,
  trials,
  acknowledged,
  lost,
  duplicated,
  readyMs,
}: FaultRecord): string {
  const sorted = [...readyMs].sort((a, b) => a - b);
  const seconds = (ms = 0) => `${(ms / 1000).toFixed(1)} s`;
  const times = [seconds(sorted[Math.floor(sorted.length / 2)]), seconds(sorted.at(-1))];
  const counts = [trials, acknowledged, lost, duplicated].map((count) =>
    count.toLocaleString('en'),
  );
  return rowFrom([fault, ...counts, ...times, new Date().toISOString().slice(0, 10)]);
}

function floodRowOf({ flooded, sent, answered }: FloodRecord): string {
  const { count, p50Ms, p99Ms, worstMs } = answered;
  return rowFrom([
    `Flood of ${flooded}`,
    sent.toLocaleString('en'),
    `${((100 * count) / sent).toFixed(1)} %`,
    ...[p50Ms, p99Ms, worstMs].map((ms) => `${Math.round(ms).toLocaleString('en')} ms`),
    new Date().toISOString().slice(0, 10),
  ]);
}

function overloadRowOf(measured: OverloadRecord): string {
  const { engine, times, capacity, seconds, offered, unsent, accepted, refused } = measured;
  const perSecond = (count: number) => `${Math.round(count).toLocaleString('en')}/s`;
  const ms = (time: number) => `${Math.round(time).toLocaleString('en')} ms`;
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
  const sent = unsent > 0 ? `, of which sent ${perSecond((offered - unsent) / seconds)}` : '';
  return rowFrom([
    `Overload, ${engine}, ${times} times`,
    perSecond(capacity),
    `${perSecond(offered / seconds)}${sent}`,
    perSecond(accepted.perSecond),
    `${Math.round((100 * accepted.perSecond) / capacity)} %`,
    ms(accepted.p99Ms),
    refused.count.toLocaleString('en'),
    ms(refused.p99Ms),
    ms(refused.worstMs),
    megabytes(measured.memoryBytes.before),
    megabytes(measured.memoryBytes.peak),
    megabytes(measured.memoryBytes.after),
    ms(measured.normalAfterMs),
    measured.acknowledged.toLocaleString('en'),
    measured.lost.toLocaleString('en'),
    new Date().toISOString().slice(0, 10),
  ]);
}

function tableOf(head: string, rows: readonly string[]): string {
  const numbers = Array<string>(countCells(head) - 1).fill('--:');
  return [head, rowFrom(['---', ...numbers]), ...rows].join('\n');
}

function countCells(row: string): number {
  return row.split(' | ').length;
}

function nameOf(row: string): string {
  return row.split(' | ')[0]?.replace('| ', '') ?? '';
}

function rowFrom(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const hardware = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${gigabytes} GB`;
  const system = `${process.platform} ${release().split('-')[0]}`;
  return `${hardware}, ${system}, Node ${process.version}`;
}
