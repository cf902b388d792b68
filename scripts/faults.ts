/** `npm run faults`: the faults of `npm test`, as often as it takes to trust them. What they measured goes to docs/FAULTS.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One line of JSON that test/faults/fault-record.ts has written. */
type FaultRecord = {
  fault: string;
  trials: number;
  acknowledged: number;
  lost: number;
  duplicated: number;
  readyMs: number[];
};

/** One line of JSON of a server that was offered more than it can do. */
type OverloadRecord = {
  engine: string;
  times: number;
  capacity: number;
  seconds: number;
  offered: number;
  unsent: number;
  accepted: { perSecond: number; p99Ms: number };
  refused: { count: number; p99Ms: number; worstMs: number };
  memoryBytes: number;
  normalAfterMs: number;
  acknowledged: number;
  lost: number;
};

const TABLE = fileURLToPath(new URL('../docs/FAULTS.md', import.meta.url));
const HEAD = ['Fault', 'Trials', 'Acknowledged', 'Lost', 'Duplicated', 'Ready after, median', 'worst', 'Date'];
const OVERLOAD_HEAD = [
  'Overload',
  'Capacity',
  'Offered',
  'Goodput',
  'of capacity',
  'Accepted, p99',
  'Refused',
  'p99',
  'worst',
  'Memory',
  'Normal after',
  'Acknowledged',
  'Lost',
  'Date',
];
const folder = mkdtempSync(join(tmpdir(), 'waitlist-faults-'));
const record = join(folder, 'record');

/** A file, or whatever else Vitest chooses tests by. */
const chosen = process.argv.slice(2);
const run = spawnSync(
  'vitest',
  // One file after the other: times to ready are of a machine with one server.
  [
    'run',
    '--project',
    'database',
    '--no-file-parallelism',
    ...(chosen.length > 0 ? chosen : ['test/faults', 'test/hostile', 'test/limits']),
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

/** Rows of faults that did not run this time stay. */
function writeTable(lines: readonly string[]): void {
  const rows = new Map<string, string>();
  const written = existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : '';
  for (const row of written.split('\n').filter((line) => /^\| .*\d{4}-\d\d-\d\d \|$/.test(line)))
    rows.set(nameOf(row), row);
  for (const line of lines) {
    const measured = JSON.parse(line) as FaultRecord | OverloadRecord;
    const row = 'fault' in measured ? rowOf(measured) : overloadRowOf(measured);
    rows.set(nameOf(row), row);
  }
  const isOverload = (row: string) => /^\| Overload, /.test(row);
  const table = tableOf(
    HEAD,
    [...rows.values()].filter((row) => !isOverload(row)),
  );
  const overloads = tableOf(OVERLOAD_HEAD, [...rows.values()].filter(isOverload));
  writeFileSync(
    TABLE,
    `# Faults

\`npm run faults\` breaks the server, its database, their disk, network and clock, and the mail server, while visitors join, and holds what is left against every answer that
visitors were given. Lost: acknowledged and not there. Duplicated: there twice, or never acknowledged. Ready: from the fault to the first
\`/readyz\` that says so. For mail: to the last mail that waited; for a moved
clock: to the next join. \`npm run faults test/faults/kill.test.ts\` runs one file and replaces its rows. Power cuts and full disks need Linux and root, a
moved clock libfaketime.

Measured with \`npm run faults\` on ${machine()}; its load average, faults and all other work, was
${loadavg()[2]?.toFixed(1)} over the last 15 minutes, and processes start as much later.

${table}

## More visitors than can be served

A minute of two and of five times the load that the server serves when 256 visitors ask again as soon as they are answered: seven joins of ten requests, two looks at a status, one landing page, at random moments, on 4,000
connections. Visitors, server and database share the machine. Goodput: answered as asked, a second. Times count from the moment at which a request was to be sent, also when no connection
was free for it. Refused: 503 with \`Retry-After\`. Memory: the most that the server's process had. Normal: 20 joins in a row, each within 100 ms.

${overloads}
`,
  );
}

function rowOf({ fault, trials, acknowledged, lost, duplicated, readyMs }: FaultRecord): string {
  const sorted = [...readyMs].sort((a, b) => a - b);
  const seconds = (ms = 0) => `${(ms / 1000).toFixed(1)} s`;
  const times = [seconds(sorted[Math.floor(sorted.length / 2)]), seconds(sorted.at(-1))];
  const counts = [trials, acknowledged, lost, duplicated].map((count) => count.toLocaleString('en'));
  return rowFrom([fault, ...counts, ...times, new Date().toISOString().slice(0, 10)]);
}

function overloadRowOf(measured: OverloadRecord): string {
  const { engine, times, capacity, seconds, offered, unsent, accepted, refused } = measured;
  const perSecond = (count: number) => `${Math.round(count).toLocaleString('en')}/s`;
  const ms = (time: number) => `${Math.round(time).toLocaleString('en')} ms`;
  return rowFrom([
    `Overload, ${engine}, ${times} times`,
    perSecond(capacity),
    `${perSecond(offered / seconds)}${unsent > 0 ? `, of which sent ${perSecond((offered - unsent) / seconds)}` : ''}`,
    perSecond(accepted.perSecond),
    `${Math.round((100 * accepted.perSecond) / capacity)} %`,
    ms(accepted.p99Ms),
    refused.count.toLocaleString('en'),
    ms(refused.p99Ms),
    ms(refused.worstMs),
    `${Math.round(measured.memoryBytes / 2 ** 20)} MB`,
    ms(measured.normalAfterMs),
    measured.acknowledged.toLocaleString('en'),
    measured.lost.toLocaleString('en'),
    new Date().toISOString().slice(0, 10),
  ]);
}

function tableOf(head: readonly string[], rows: readonly string[]): string {
  return [rowFrom(head), rowFrom(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows].join('\n');
}

function nameOf(row: string): string {
  return row.split(' | ')[0]?.replace('| ', '') ?? '';
}

function rowFrom(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${gigabytes} GB, ${process.platform} ${release().split('-')[0]}, Node ${process.version}`;
}
