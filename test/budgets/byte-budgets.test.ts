/** Fails when a route exceeds its byte budget, and prints the table in any case. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildSite, DIST } from '../../scripts/build.ts';
import {
  listHydrationScripts,
  measureConsole,
  measureRare,
  measureRoute,
  type RouteName,
  type RouteWeight,
} from './measure-routes.ts';

/** In kB of 1000 bytes. */
const BUDGETS: Readonly<Record<RouteName, Readonly<Record<keyof RouteWeight, number>>>> = {
  landing: { hydrationScript: 76, allScript: 92, html: 12, fonts: 23, firstView: 130 },
  invite: { hydrationScript: 78, allScript: 94, html: 12, fonts: 23, firstView: 130 },
  status: { hydrationScript: 82, allScript: 100, html: 13, fonts: 23, firstView: 170 },
};

const routes = Object.keys(BUDGETS) as RouteName[];
const weights = new Map<RouteName, RouteWeight>();

beforeAll(async () => {
  await buildSite({ outDir: DIST });
  for (const route of routes) weights.set(route, await measureRoute(DIST, route));
  console.table(
    Object.fromEntries(
      [...weights].map(([route, weight]) => [
        route,
        Object.fromEntries(
          Object.entries(weight).map(([what, bytes]) => [
            what,
            `${(bytes / 1000).toFixed(1)} of ${BUDGETS[route][what as keyof RouteWeight]}`,
          ]),
        ),
      ]),
    ),
  );
}, 120_000);

describe.each(routes)('%s', (route) => {
  test.each(Object.entries(BUDGETS[route]))('%s is at most %i kB', (what, budget) => {
    const bytes = weights.get(route)?.[what as keyof RouteWeight];
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(budget * 1000);
  });
});

test('the solver is at most 3 kB, the QR encoder 5 kB, and hydration fetches neither', async () => {
  const { solver, qr } = await measureRare(DIST);
  expect(solver.bytes).toBeLessThanOrEqual(3_000);
  expect(qr.bytes).toBeLessThanOrEqual(5_000);
  for (const route of routes) {
    const scripts = await listHydrationScripts(DIST, route);
    expect(scripts.filter((file) => [solver.chunk, qr.chunk].includes(file))).toEqual([]);
  }
});

test('the console starts with at most 180 kB, none of which a visitor loads', async () => {
  const bytes = await measureConsole(DIST);
  console.log(`The console starts with ${(bytes / 1000).toFixed(1)} of 180 kB.`);
  expect(bytes).toBeLessThanOrEqual(180_000);
  for (const page of await readdir(join(DIST, 'pages'))) {
    const html = await readFile(join(DIST, 'pages', page), 'utf8');
    expect(html.includes('/console/')).toBe(page === 'console.html');
  }
});

test('the site contains no development pages', async () => {
  const files = await readdir(join(DIST, 'site'), { recursive: true });
  expect(files.filter((path) => path.startsWith('dev'))).toEqual([]);
  expect(await readdir(join(DIST, 'console'))).toEqual(['assets']);
});
