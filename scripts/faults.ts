/** `npm run faults`: the fault tests in their long form. Replaces the rows of docs/FAULTS.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCUMENT = fileURLToPath(new URL('../docs/FAULTS.md', import.meta.url));
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

const folder = mkdtempSync(join(tmpdir(), 'waitlist-faults-'));
const record = join(folder, 'record');
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
if (existsSync(record)) {
  const measured = readFileSync(record, 'utf8').trim().split('\n');
  const written = readFileSync(DOCUMENT, 'utf8').replace(/^Machine: .*\nLoad .*$/m, conditions());
  const rows = measured.map((line) => JSON.parse(line) as Row);
  writeFileSync(DOCUMENT, rows.reduce(replaceRow, written));
}
rmSync(folder, { recursive: true });
process.exitCode = run.status ?? 1;

/** One line of JSON from test/faults/fault-record.ts. */
type Row = { readonly table: string; readonly cells: readonly string[] };

/** Replaces the row that has the same first cell, or adds it at the end of its table. */
function replaceRow(document: string, { table, cells }: Row): string {
  const row = `| ${[...cells, new Date().toISOString().slice(0, 10)].join(' | ')} |`;
  const lines = document.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${table} | `));
  if (head < 0) throw new Error(`docs/FAULTS.md has no table of ${table}.`);
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  const own = lines.findIndex(
    (line, index) => index > head && index < end && line.startsWith(`| ${cells[0]} | `),
  );
  return lines.toSpliced(own < 0 ? end : own, own < 0 ? 0 : 1, row).join('\n');
}

function conditions(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const hardware = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${gigabytes} GB`;
  const system = `${process.platform} ${release().split('-')[0]}`;
  return (
    `Machine: ${hardware}, ${system}, Node ${process.version}.\n` +
    `Load average over the last 15 minutes, faults and all other work: ${loadavg()[2]?.toFixed(1)}.`
  );
}
