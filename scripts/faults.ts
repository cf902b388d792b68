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

const TABLE = fileURLToPath(new URL('../docs/FAULTS.md', import.meta.url));
const HEAD = ['Fault', 'Trials', 'Acknowledged', 'Lost', 'Duplicated', 'Ready after, median', 'worst', 'Date'];
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
    ...(chosen.length > 0 ? chosen : ['test/faults', 'test/hostile']),
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
    rows.set(row.split(' | ')[0]?.replace('| ', '') ?? '', row);
  for (const line of lines) {
    const measured = JSON.parse(line) as FaultRecord;
    rows.set(measured.fault, rowOf(measured));
  }
  const table = [rowFrom(HEAD), rowFrom(HEAD.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.values()];
  writeFileSync(
    TABLE,
    `# Faults

\`npm run faults\` breaks the server, its database and their disk while visitors join, and holds what is left against every answer that
visitors were given. Lost: acknowledged and not there. Duplicated: there twice, or never acknowledged. Ready: from the fault to the first
\`/readyz\` that says so. \`npm run faults test/faults/kill.test.ts\` runs one file and replaces its rows. Power cuts need Linux and root.

Measured with \`npm run faults\` on ${machine()}; its load average, faults and all other work, was
${loadavg()[2]?.toFixed(1)} over the last 15 minutes, and processes start as much later.

${table.join('\n')}
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

function rowFrom(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${gigabytes} GB, ${process.platform} ${release().split('-')[0]}, Node ${process.version}`;
}
