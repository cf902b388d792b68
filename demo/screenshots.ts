/** Pictures of the console, which `npm run screenshots` takes where they are old. */
import { chromium, type Page } from 'playwright-core';
import { brand } from '../brand/brand.ts';
import type { ChangeKind, ChangeRequest } from '../contract/operator/changes.ts';
import { consolePaths } from '../contract/operator/paths.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../scripts/chromium.ts';
import { callOperator } from '../scripts/operator/call-operator.ts';
import { SCREENS, saveScreenshot } from '../scripts/pictures/save-picture.ts';
import { until } from './clock.ts';
import { DOMAINS } from './past/draw-joins.ts';
import { serveDemo } from './serve-demo.ts';

const SETTLE_MS = 2000;

type Shot = readonly [path: string, isShown: (page: Page) => Promise<void>];

const overview: Shot = [
  'overview',
  (page) => page.getByRole('heading', { name: 'Joins' }).waitFor(),
];
const members: Shot = [
  'members',
  async (page) => {
    await page.locator('tr[data-row]').nth(1).click();
    await page.getByRole('heading', { name: 'Their page' }).waitFor();
  },
];
const drop: Shot = [
  'drop',
  (page) => page.getByRole('button', { name: 'Close the drop' }).waitFor(),
];
const offers: Shot = ['offers', (page) => page.locator('tr[data-row]').first().waitFor()];

/** Pictures of the README by screen, in this order: there are offers once the drop went on. */
const SHOTS: Readonly<Record<(typeof SCREENS)[number]['name'], readonly Shot[]>> = {
  phone: [overview, members, drop],
  desk: [overview, members, offers],
};

/** An owner who has put in their own is asked for nothing. */
Object.assign(brand, { links: {}, product: { ...brand.product, areExamples: false } });

const { server, makeLink } = await serveDemo({ members: 5_000, seed: 'afterglow' });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS });
for (const screen of SCREENS) {
  const { name, viewport, deviceScaleFactor } = screen;
  const isMobile = name === 'phone';
  const page = await browser.newPage({ viewport, deviceScaleFactor, isMobile });
  await page.goto(await makeLink());
  await page.getByRole('button', { name: /sign in|enter/i }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const [path, isShown] of SHOTS[name]) {
    if (path === 'drop') await walkDrop();
    await page.goto(new URL(`${consolePaths.home}/${path}`, page.url()).href);
    await isShown(page);
    await page.waitForTimeout(SETTLE_MS);
    await saveScreenshot(page, `console-${path}`, screen);
  }
}
await browser.close();
process.exit();

async function walkDrop(): Promise<void> {
  const change = (kind: ChangeKind, input: object) => {
    const body = { kind, input, reason: 'launch day' } as ChangeRequest;
    return callOperator(server, 'POST changes', { body });
  };
  await change('freeze-drop', { first: 500, domains: DOMAINS });
  await change('announce-draw', { source: 'seed' });
  await change('select-entrants', {});
  await change('start-offers', { minutes: 720, time_zone: 'Europe/Berlin' });
  await until('Members answer', async () => {
    const { open, declined } = await callOperator(server, 'GET offers');
    const { unmailed } = await callOperator(server, 'GET drop');
    return declined > 4 && open < 50 && unmailed === 0;
  });
}
