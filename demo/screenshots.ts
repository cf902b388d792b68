/** The console's part of `npm run screenshots`, from the demo. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { consolePaths } from '../contract/operator/paths.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../scripts/chromium.ts';
import { SCREENS, saveScreenshot } from '../scripts/save-screenshot.ts';

/** Until charts are drawn and the sheet has come in. */
const SETTLE_MS = 2000;

const demo = spawn(
  process.execPath,
  [fileURLToPath(new URL('demo.ts', import.meta.url)), '--no-browser'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
process.on('exit', () => demo.kill());
const link = await readLink();
const { origin } = new URL(link);
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS });
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
for (const screen of SCREENS) {
  const { viewport, deviceScaleFactor } = screen;
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor,
    ...(signedIn && { storageState: signedIn }),
  });
  const page = await context.newPage();
  if (signedIn === undefined) await signIn(page);
  signedIn = await context.storageState();
  await page.goto(`${origin}${consolePaths.home}/overview`);
  await page.getByRole('heading', { name: 'Joins' }).waitFor();
  await page.waitForTimeout(SETTLE_MS);
  await saveScreenshot(page, 'console-overview', screen);
  await page.goto(`${origin}${consolePaths.home}/members`);
  await page.locator('tr[data-row]').nth(1).click();
  await page.getByRole('heading', { name: 'Their page' }).waitFor();
  await page.waitForTimeout(SETTLE_MS);
  await saveScreenshot(page, 'console-members', screen);
  await page.goto(`${origin}${consolePaths.home}/credits`);
  await page.locator('tr[data-row]').first().click();
  await page.getByRole('button', { name: 'Refuse all' }).waitFor();
  await page.waitForTimeout(SETTLE_MS);
  await saveScreenshot(page, 'console-credits', screen);
  await context.close();
}
await browser.close();
demo.kill('SIGINT');
await once(demo, 'exit');

async function readLink(): Promise<string> {
  let printed = '';
  for await (const chunk of demo.stdout) {
    printed += chunk;
    const [found] = /http:\S+\/sign-in#\S+(?=\n)/.exec(printed) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`The demo ended:\n${printed}`);
}

async function signIn(page: Page): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: /sign in|enter/i }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}
