import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../../scripts/chromium.ts';
import { freePort } from '../../test/support/server-process.ts';
import { openProduct, thisCheckout } from '../checkout.ts';
import type { Part } from '../part.ts';
import { table, whole } from '../report/markdown.ts';
import type { Target } from '../report/report.ts';
import { median } from '../statistics.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const BLOCKING = 'TBT ms';
const METRICS = {
  'first-contentful-paint': 'FCP ms',
  'largest-contentful-paint': 'LCP ms',
  'total-blocking-time': BLOCKING,
  'cumulative-layout-shift': 'CLS',
};
/** `TBT ms of scripts` is how much more it is with script files than with all of them blocked. */
const BUDGETS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  landing: { performance: 100, 'FCP ms': 900, 'LCP ms': 1000, 'TBT ms of scripts': 20, CLS: 0.005 },
  invite: { performance: 100, 'FCP ms': 950, 'LCP ms': 1200, 'TBT ms of scripts': 20, CLS: 0.005 },
  status: { performance: 100, 'FCP ms': 1000, 'LCP ms': 1300, 'TBT ms of scripts': 20, CLS: 0.01 },
};

type Visit = Readonly<Record<string, number>>;

const MEMBERS = 10_000;
const ROUNDS = 5;

export const lighthousePart: Part = {
  name: 'lighthouse',
  writes: 'LIGHTHOUSE.md',
  scale: { members: MEMBERS, rounds: ROUNDS },
  async measure({ newPlace, log }) {
    const settings = { LIMITS: 'off', NODE_ENV: 'production' };
    const place = await newPlace('embedded');
    const { url, sample } = await openProduct(thisCheckout, place, { members: MEMBERS, settings });
    const port = await freePort();
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`],
    });
    const paths = {
      landing: pagePaths.landing,
      invite: fillPath(pagePaths.invite, sample.codes.at(-1) ?? ''),
      status: fillPath(pagePaths.status, sample.ids.at(-1) ?? ''),
    };
    const visit = (path: string, blocked: string[] = []) => visitPage(url + path, port, blocked);
    // The first visit of a browser that has just started is several times as slow.
    await visit(paths.landing);
    const visits: Readonly<Record<string, Visit[]>> = { landing: [], invite: [], status: [] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [route, path] of Object.entries(paths)) {
        const figures = await visit(path);
        const { [BLOCKING]: without = NaN } = await visit(path, ['*.js']);
        visits[route]?.push({
          ...figures,
          'TBT ms without scripts': without,
          'TBT ms of scripts': (figures[BLOCKING] ?? NaN) - without,
        });
      }
      log(`round ${round} of ${ROUNDS} measured`);
    }
    await browser.close();
    const medians = Object.entries(visits).map(([route, all]) => [route, mediansOf(all)] as const);
    return {
      section: describe(browser.version(), medians),
      targets: medians.flatMap((routeMedians) => targetsOf(...routeMedians)),
    };
  },
};

function mediansOf(visits: readonly Visit[]): Visit {
  const columns = Object.keys(visits[0] ?? {});
  const medianOf = (column: string) => median(visits.map((visit) => visit[column] ?? NaN));
  return Object.fromEntries(columns.map((column) => [column, medianOf(column)]));
}

function targetsOf(route: string, medians: Visit): Target[] {
  return Object.entries(BUDGETS[route] ?? {}).map(([column, limit]) => ({
    what: `${route}: ${column}`,
    measured: medians[column] ?? Number.NaN,
    ...(column === 'performance' ? { atLeast: limit } : { atMost: limit }),
  }));
}

function describe(version: string, routes: readonly (readonly [string, Visit])[]): string {
  const columns = Object.keys(routes[0]?.[1] ?? {});
  const rows = routes.map(([route, medians]) => [
    route,
    ...Object.values(medians).map((figure) => (figure < 1 ? figure.toFixed(3) : whole(figure))),
  ]);
  return `## Mobile\n\n${table([`Chromium ${version}`, ...columns], rows)}`;
}

async function visitPage(url: string, port: number, blockedUrlPatterns: string[]): Promise<Visit> {
  const flags = { port, onlyCategories: CATEGORIES, blockedUrlPatterns };
  // A page without its scripts waits for them without end.
  const result = await lighthouse(url, { ...flags, logLevel: 'error', maxWaitForLoad: 15_000 });
  if (!result) throw new Error(`${url} was not measured.`);
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  return Object.fromEntries([
    ...CATEGORIES.map((category) => [
      category,
      Math.round((categories[category]?.score ?? 0) * 100),
    ]),
    ...Object.entries(METRICS).map(([audit, name]) => [name, audits[audit]?.numericValue ?? NaN]),
  ]);
}
