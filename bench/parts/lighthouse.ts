import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../../scripts/chromium.ts';
import { freePort } from '../../test/support/server-process.ts';
import { openProduct, readSample, thisCheckout } from '../checkout.ts';
import { definePart } from '../part.ts';
import { table, whole } from '../report/markdown.ts';
import { median } from '../statistics.ts';

const OPTIONS = {
  members: 10_000,
  rounds: 5,
  routes: ['landing', 'invite', 'status'],
};
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const BLOCKING = 'TBT ms';
const METRICS = {
  'first-contentful-paint': 'FCP ms',
  'largest-contentful-paint': 'LCP ms',
  'total-blocking-time': BLOCKING,
  'cumulative-layout-shift': 'CLS',
};
const FIGURES = [...CATEGORIES, ...Object.values(METRICS)];
/** Blocking of the page with all script files blocked, and how much more it is with them. */
const COLUMNS = [...FIGURES, 'TBT ms without scripts', 'TBT ms of scripts'];
const BUDGETS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  landing: { performance: 100, 'FCP ms': 900, 'LCP ms': 1000, 'TBT ms of scripts': 20, CLS: 0.005 },
  invite: { performance: 100, 'FCP ms': 950, 'LCP ms': 1200, 'TBT ms of scripts': 20, CLS: 0.005 },
  status: { performance: 100, 'FCP ms': 1000, 'LCP ms': 1300, 'TBT ms of scripts': 20, CLS: 0.01 },
};

type Visit = readonly number[];
export const lighthousePart = definePart({
  name: 'lighthouse',
  writes: 'LIGHTHOUSE.md',
  options: OPTIONS,
  async measure({ options: { members, rounds, routes }, newPlace, log }) {
    const settings = { LIMITS: 'off', NODE_ENV: 'production' };
    const place = await newPlace('embedded');
    const server = await openProduct(thisCheckout, place, { members, settings });
    const { ids, codes } = readSample(server.sampleFile);
    const port = await freePort();
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`],
    });
    const paths: Readonly<Record<string, string>> = {
      landing: pagePaths.landing,
      invite: fillPath(pagePaths.invite, codes.at(-1) ?? ''),
      status: fillPath(pagePaths.status, ids.at(-1) ?? ''),
    };
    const visit = (route: string, blocked: string[] = []) => {
      const path = paths[route];
      if (path === undefined) throw new Error(`There is no route ${route}.`);
      return visitPage(server.url + path, port, blocked);
    };
    // The first visit of a browser that has just started is several times as slow.
    await visit('landing');
    const rows = routes.map((route) => ({ route, visits: [] as Visit[] }));
    for (let round = 1; round <= rounds; round += 1) {
      for (const { route, visits } of rows) {
        const figures = await visit(route);
        const [blocking = NaN, without = NaN] = [figures, await visit(route, ['*.js'])].map(
          (visited) => visited[FIGURES.indexOf(BLOCKING)],
        );
        visits.push([...figures, without, blocking - without]);
      }
      log(`round ${round} of ${rounds} measured`);
    }
    await browser.close();
    await server.stop();
    return {
      browser: browser.version(),
      routes: rows.map(({ route, visits }) => ({
        route,
        medians: COLUMNS.map((_, index) => median(visits.map((figures) => figures[index] ?? NaN))),
      })),
    };
  },
  targets: ({ routes }) =>
    routes.flatMap(({ route, medians }) =>
      Object.entries(BUDGETS[route] ?? {}).map(([column, limit]) => ({
        what: `${route}: ${column}`,
        measured: medians[COLUMNS.indexOf(column)] ?? Number.NaN,
        ...(column === 'performance' ? { atLeast: limit } : { atMost: limit }),
      })),
    ),
  describe({ browser, routes }) {
    const rows = routes.map(({ route, medians }) => [
      route,
      ...medians.map((figure) => (figure < 1 ? figure.toFixed(3) : whole(figure))),
    ]);
    return `## Mobile\n\n${table([`Chromium ${browser}`, ...COLUMNS], rows)}`;
  },
});

async function visitPage(url: string, port: number, blockedUrlPatterns: string[]): Promise<Visit> {
  const flags = { port, onlyCategories: CATEGORIES, blockedUrlPatterns };
  // A page without its scripts waits for them without end.
  const result = await lighthouse(url, { ...flags, logLevel: 'error', maxWaitForLoad: 15_000 });
  if (!result) throw new Error(`${url} was not measured.`);
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  return [
    ...CATEGORIES.map((category) => Math.round((categories[category]?.score ?? 0) * 100)),
    ...Object.keys(METRICS).map((metric) => audits[metric]?.numericValue ?? Number.NaN),
  ];
}
