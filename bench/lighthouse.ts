/**
 * `npm run lighthouse`: every route on mobile and desktop against a production server, beside the
 * landing page without scripts, and clicks (INP). Writes bench/LIGHTHOUSE.md.
 * Options: --members, --rounds, --results FILE. `--only invite,status` measures these pages on
 * mobile, without clicks, and only prints.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromium } from 'playwright-core';
import { pagePaths } from '../contract/paths.ts';
import { buildSite, DIST } from '../scripts/build.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../scripts/chromium.ts';
import { freePort } from '../test/support/server-process.ts';
import { fill, startProduct, thisCheckout, writeSample } from './checkout.ts';
import { type Interactions, measureInteractions } from './interactions.ts';
import type { Sample } from './members/read-sample.ts';
import { besideBudget } from './report/budgets.ts';
import { type LongTask, readLongTasks, tableOfLongTasks } from './report/long-tasks.ts';
import { table, whole } from './report/markdown.ts';
import { describeMachine } from './report/records.ts';
import { median } from './statistics.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    results: { type: 'string' },
  },
});
const [members, rounds] = [Number(values.members), Number(values.rounds)];
const PAGES = ['landing', 'invite', 'status'] as const;
const wanted = values.only?.split(',') ?? PAGES;
const unknown = wanted.filter((name) => !PAGES.some((page) => page === name));
if (unknown.length > 0) throw new Error(`There is no page ${unknown.join()}: ${PAGES.join()}.`);
const isWhole = values.only === undefined;
const results =
  values.results ?? (isWhole ? fileURLToPath(new URL('LIGHTHOUSE.md', import.meta.url)) : null);

const FORMS = ['mobile', 'desktop'] as const;
type Form = (typeof FORMS)[number];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];
const SCORES_HEAD = ['performance', 'accessibility', 'best practices', 'SEO'];
const METRICS_HEAD = ['FCP ms', 'LCP ms', 'TBT ms', 'CLS'];
/** On a phone, in the order of the columns. */
const BUDGETS: Readonly<Record<string, readonly string[]>> = {
  landing: ['≥ 99', '', '', '', '≤ 900', '≤ 1000', '≤ 30', '≤ 0.005'],
  invite: ['≥ 99', '', '', '', '≤ 950', '≤ 1200', '≤ 30', '≤ 0.005'],
  status: ['≥ 98', '', '', '', '≤ 1000', '≤ 1300', '≤ 50', '≤ 0.01'],
};
/** Lighthouse then loads the page without its scripts. */
const SCRIPTS = ['*.js'];

type Run = {
  /** Scores from 0 to 100 in the order of CATEGORIES, then METRICS. */
  readonly figures: readonly number[];
  readonly longTasks: readonly LongTask[];
};
type Row = {
  readonly name: string;
  readonly url: string;
  readonly blocked?: string[];
  readonly form: Form;
  readonly runs: Run[];
};

await buildSite({ outDir: DIST });
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-lighthouse-'));
const place = await fill(thisCheckout, { dataDir, databaseUrl: null }, members);
const sampleFile = await writeSample(thisCheckout, place);
const { ids, codes } = JSON.parse(readFileSync(sampleFile, 'utf8')) as Sample;
const settings = { LIMITS: 'off', NODE_ENV: 'production' };
const server = await startProduct(thisCheckout, place, settings);
const debuggingPort = await freePort();
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${debuggingPort}`],
});
try {
  const loadBefore = loadavg()[0];
  const pages = [
    { name: 'landing, scripts blocked (baseline)', url: server.url, blocked: SCRIPTS },
    { name: 'landing', url: server.url + pagePaths.landing() },
    { name: 'invite', url: server.url + pagePaths.invite(codes.at(-1) ?? '') },
    { name: 'status', url: server.url + pagePaths.status(ids.at(-1) ?? '') },
  ];
  const measured = pages.filter(({ name }) => wanted.some((page) => name.startsWith(page)));
  const rows: Row[] = FORMS.filter((form) => isWhole || form === 'mobile').flatMap((form) =>
    measured.map((page) => ({ ...page, form, runs: [] })),
  );
  const clicks: Interactions[] = [];
  // The first visit of a browser that has just started is several times as slow.
  for (const row of rows.slice(0, 1)) await runOnce(row);
  for (let round = 0; round < rounds; round += 1) {
    for (const row of rows) row.runs.push(await runOnce(row));
    const email = `inp${round}-${process.pid}@example.com`;
    if (isWhole) clicks.push(await measureInteractions(browser, server.url, email));
    console.log(`Round ${round + 1} of ${rounds} is done.`);
  }
  const blocking = rows
    .filter(({ form }) => form === 'mobile')
    .map(({ name, runs }) => ({ name, runs: runs.map(({ longTasks }) => longTasks) }));
  const options = isWhole ? '' : ` --only ${wanted.join()}`;
  const report = `# Lighthouse, beside a baseline

Medians of ${rounds} at ${whole(members)} members, production server with the embedded database.
Everything shares one machine, and every round measures all pages in turn. The baseline is the
landing page with all script files blocked. FCP, LCP and TBT are simulated for a slow phone on 4G
and for a desktop. One visit before all others is not counted.

${describeMachine()}, Chromium ${browser.version()}. ${new Date().toISOString().slice(0, 10)}, load
average ${loadBefore?.toFixed(1)} → ${loadavg()[0]?.toFixed(1)},
\`npm run lighthouse -- --members ${members} --rounds ${rounds}${options}\`

## Mobile, beside its budget

A figure in bold misses its budget.

${tableOf(rows, 'mobile')}

## What takes more than 50 ms at a time on mobile

TBT adds up what such tasks take beyond 50 ms after the first paint. Lighthouse multiplies the
wall-clock time of each task by four, so a task that waits for a busy core counts too.

${tableOfLongTasks(blocking)}
${isWhole ? desktopAndClicks(rows, clicks) : ''}`;
  if (results !== null) writeFileSync(results, report);
  console.log(report);
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function runOnce({ url, form, blocked = [] }: Row): Promise<Run> {
  const flags = {
    port: debuggingPort,
    logLevel: 'error' as const,
    onlyCategories: CATEGORIES,
    blockedUrlPatterns: blocked,
  };
  const result = await lighthouse(url, flags, form === 'desktop' ? desktopConfig : undefined);
  if (!result) throw new Error(`${url} was not measured.`);
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  return {
    figures: [
      ...CATEGORIES.map((category) => Math.round((categories[category]?.score ?? 0) * 100)),
      ...METRICS.map((metric) => audits[metric]?.numericValue ?? Number.NaN),
    ],
    longTasks: readLongTasks(audits['long-tasks']?.details, url),
  };
}

function desktopAndClicks(rows: readonly Row[], clicks: readonly Interactions[]): string {
  const inp = (['join', 'copy', 'toggle'] as const).map((name) =>
    String(median(clicks.map((click) => click[name]))),
  );
  return `
## Desktop

${tableOf(rows, 'desktop')}

## From click to the next frame (INP), processor four times slower

${table(['', 'join', 'copy', 'music toggle'], [['ms', ...inp]])}

Event timing counts in steps of 8 ms and leaves out what is under 16.
`;
}

function tableOf(rows: readonly Row[], form: Form): string {
  const lines = rows
    .filter((row) => row.form === form)
    .map(({ name, runs }) => {
      const figures = [...CATEGORIES, ...METRICS].map((what, index) => {
        const figure = median(runs.map((run) => run.figures[index] ?? Number.NaN));
        const shown = what === 'cumulative-layout-shift' ? figure.toFixed(3) : whole(figure);
        return besideBudget(figure, shown, form === 'mobile' ? BUDGETS[name]?.[index] : '');
      });
      return [name, ...figures];
    });
  return table(['', ...SCORES_HEAD, ...METRICS_HEAD], lines);
}
