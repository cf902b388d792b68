/** `npm run browsers`: replaces the rows of docs/BROWSERS.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../build/vite-config.ts';
import { buildSite, DIST } from '../build.ts';
import { ensureChromium } from '../chromium.ts';
import { describeMachine, replaceRows } from '../report-rows.ts';
import { ensureOtherEngines } from './other-engines.ts';

type Journey = {
  readonly version: string;
  readonly outcomes: readonly [step: string, failure: string | null][];
};

const ENGINES = ['Chromium', 'Firefox', 'WebKit'] as const;
const REPORT = join(ROOT, 'docs/BROWSERS.md');

for (const sentence of ensureOtherEngines()) console.log(sentence);
ensureChromium();
await buildSite({ outDir: DIST });
const report = mkdtempSync(join(tmpdir(), 'waitlist-browsers-'));
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'browser', '--maxWorkers', '1', 'test/browser/engines'],
  { stdio: 'inherit', cwd: ROOT, env: { ...process.env, BROWSERS_REPORT: report } },
);
const journeys = ENGINES.flatMap((name) => {
  const file = join(report, `${name}.json`);
  return existsSync(file) ? [{ name, ...(JSON.parse(readFileSync(file, 'utf8')) as Journey) }] : [];
});
writeFileSync(REPORT, putInto(readFileSync(REPORT, 'utf8')));
rmSync(report, { recursive: true });
process.exit(status ?? 1);

function putInto(report: string): string {
  const steps = journeys[0]?.outcomes.map(([step]) => step) ?? [];
  const cellsOf = (cell: (journey: Journey) => string) =>
    ENGINES.map((name) => {
      const journey = journeys.find((one) => one.name === name);
      return journey === undefined ? '–' : cell(journey);
    });
  const answerOf = ({ outcomes }: Journey, step: string) => {
    const found = outcomes.find(([name]) => name === step);
    if (!found) return 'not reached';
    return found[1] === null ? 'yes' : 'no';
  };
  const rows = [
    ['Version', ...cellsOf(({ version }) => version)],
    ...steps.map((step) => [step, ...cellsOf((journey) => answerOf(journey, step))]),
  ];
  const conditions = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}.`;
  return rows.reduce(
    (text, row) => replaceRows(text, 'On a phone of 390 x 844', row[0] ?? '', [row]),
    report.replace(/^\d{4}-\d\d-\d\d, .*$/m, conditions),
  );
}
