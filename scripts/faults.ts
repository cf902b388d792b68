import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachine, replaceRows } from './report-rows.ts';

const DOCUMENT = fileURLToPath(new URL('../docs/FAULTS.md', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'waitlist-faults-'));
const record = join(folder, 'record');
const chosen = process.argv.slice(2);
const run = spawnSync(
  'vitest',
  // One file at a time: times to ready assume a machine to itself.
  [
    'run',
    ...['--project', 'database', '--no-file-parallelism'],
    ...(chosen.length > 0 ? chosen : ['test/faults']),
  ],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, TESTS: 'long', FAULTS_RECORD: record },
  },
);
if (existsSync(record)) {
  const measured = readFileSync(record, 'utf8').trim().split('\n');
  const rows = measured.map((line) => JSON.parse(line) as Row);
  const now = new Date().toISOString().slice(0, 10);
  const load = loadavg()[2]?.toFixed(1);
  const conditions =
    `Machine: ${describeMachine()}.\n` +
    `Load average over the last 15 minutes, faults and all other work: ${load}.`;
  const document = rows.reduce(
    (text, { table, cells }) => replaceRows(text, table, cells[0], [[...cells, now]]),
    readFileSync(DOCUMENT, 'utf8').replace(/^Machine: .*\nLoad .*$/m, conditions),
  );
  writeFileSync(DOCUMENT, document);
}
rmSync(folder, { recursive: true });
process.exitCode = run.status ?? 1;

type Row = { readonly table: string; readonly cells: readonly [string, ...string[]] };
