import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { OfferFigures } from '../contract/operator/drop/offers.ts';
import { consolePaths, operatorPaths } from '../contract/operator/paths.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../scripts/chromium.ts';
import { SCREENS, saveScreenshot } from '../scripts/pictures/save-screenshot.ts';

const SETTLE_MS = 2000;
/** The demo sends a few mails per second, and starts with those of its past. */
const ANSWERS_MS = 180_000;

type Shot = {
  readonly label: string;
  readonly path: string;
  readonly isShown: (page: Page) => Promise<void>;
};

const overview: Shot = {
  label: 'console-overview',
  path: '/overview',
  isShown: (page) => page.getByRole('heading', { name: 'Joins' }).waitFor(),
};
const members: Shot = {
  label: 'console-members',
  path: '/members',
  isShown: async (page) => {
    await page.locator('tr[data-row]').nth(1).click();
    await page.getByRole('heading', { name: 'Their page' }).waitFor();
  },
};
const drop: Shot = {
  label: 'console-drop',
  path: '/drop',
  isShown: (page) => page.getByRole('button', { name: 'Close the drop' }).waitFor(),
};
const offers: Shot = {
  label: 'console-offers',
  path: '/offers',
  isShown: (page) => page.locator('tr[data-row]').first().waitFor(),
};

/** Pictures of the README by screen, in this order: there are offers once the drop went on. */
const SHOTS: Readonly<Record<(typeof SCREENS)[number]['name'], readonly Shot[]>> = {
  phone: [overview, members, drop],
  desk: [overview, members, offers],
};

const demo = spawn(
  process.execPath,
  [fileURLToPath(new URL('demo.ts', import.meta.url)), '--no-browser'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
process.on('exit', () => demo.kill());
const link = await readLink();
let origin = '';
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS });
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
for (const screen of SCREENS) {
  const { viewport, deviceScaleFactor } = screen;
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor,
    isMobile: screen.name === 'phone',
    ...(signedIn && { storageState: signedIn }),
  });
  const page = await context.newPage();
  if (signedIn === undefined) await signIn(page);
  signedIn = await context.storageState();
  for (const { label, path, isShown } of SHOTS[screen.name]) {
    if (label === 'console-drop') await walkDrop(page);
    await page.goto(`${origin}${consolePaths.home}${path}`);
    await isShown(page);
    await page.waitForTimeout(SETTLE_MS);
    await saveScreenshot(page, label, screen);
  }
  await context.close();
}
await browser.close();
demo.kill('SIGINT');
await once(demo, 'exit');

async function readLink(): Promise<string> {
  let printed = '';
  // The demo goes on printing: a closed pipe would end it.
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    const [found] = /http:\S+\/[\w-]{22}(?=\n)/.exec(printed) ?? [];
    if (found === undefined) continue;
    demo.stdout.resume();
    return found;
  }
  throw new Error(`The demo ended:\n${printed}`);
}

async function signIn(page: Page): Promise<void> {
  await page.goto(link);
  origin = new URL(page.url()).origin;
  await page.getByRole('button', { name: /sign in|enter/i }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function walkDrop(page: Page): Promise<void> {
  const change = async (kind: string, input: object) => {
    const data = { kind, input, reason: 'launch day' };
    const answer = await page.request.post(origin + operatorPaths.changes, {
      data,
      headers: { origin },
    });
    if (!answer.ok()) throw new Error(`${kind}: ${await answer.text()}`);
  };
  await change('freeze-drop', { first: 500 });
  await change('announce-draw', { by_rank: 60, drawn_among: 500, source: 'seed' });
  await change('select-entrants', {});
  await change('start-offers', { minutes: 720, time_zone: 'Europe/Berlin' });
  const deadline = Date.now() + ANSWERS_MS;
  for (;;) {
    const answer = await page.request.get(origin + operatorPaths.offers);
    const { open, declined } = (await answer.json()) as OfferFigures;
    if (declined > 4 && open < 50) return;
    if (Date.now() > deadline) throw new Error(`${open} offers are still open.`);
    await page.waitForTimeout(SETTLE_MS);
  }
}
