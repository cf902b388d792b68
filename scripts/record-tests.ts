/**
 * `npm run faults` and `npm run browsers`, with files or without: the tests write rows, which take
 * the place of older ones in a report.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './build/vite-config.ts';
import { buildSite, DIST } from './build.ts';
import { ensureChromium } from './chromium.ts';
import { ensureOtherEngines } from './other-engines.ts';
import { describeMachine, replaceRows } from './report-rows.ts';

const [kind, ...chosen] = process.argv.slice(2);
const [report, project, all] =
  kind === 'browsers'
    ? (['docs/BROWSERS.md', 'browser', 'test/browser/engines'] as const)
    : (['docs/FAULTS.md', 'database', 'test/faults'] as const);

if (project === 'browser') {
  for (const sentence of ensureOtherEngines()) console.log(sentence);
  ensureChromium();
  await buildSite({ outDir: DIST });
}
const folder = mkdtempSync(join(tmpdir(), 'waitlist-record-'));
const record = join(folder, 'record');
writeFileSync(record, '');
const files = chosen.length > 0 ? chosen : [all];
// One file at a time: times to ready assume a machine to itself.
const run = spawnSync('vitest', ['run', '--project', project, '--no-file-parallelism', ...files], {
  stdio: 'inherit',
  cwd: ROOT,
  shell: process.platform === 'win32',
  env: { ...process.env, TESTS: 'long', TESTS_RECORD: record },
});
const lines = readFileSync(record, 'utf8').split('\n').filter(Boolean);
rmSync(folder, { recursive: true });
if (lines.length > 0) {
  const path = join(ROOT, report);
  const today = new Date().toISOString().slice(0, 10);
  const described = readFileSync(path, 'utf8')
    .replace(/^Machine: .*$/m, `Machine: ${describeMachine()}, ${today}.`)
    .replace(/^(Load average .*: ).*$/m, `$1${loadavg()[2]?.toFixed(1)}.`);
  const rows = lines.map((line) => JSON.parse(line) as Row);
  writeFileSync(
    path,
    rows.reduce((text, { table, cells }) => replaceRows(text, table, cells[0], [cells]), described),
  );
}
process.exitCode = run.status ?? 1;

type Row = { readonly table: string; readonly cells: readonly [string, ...string[]] };
