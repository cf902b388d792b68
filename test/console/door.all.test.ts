/** The door: a pass is scanned from a member's own page, also without network, by two people. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { OwnOffer } from '../../contract/drop/offer-views.ts';
import type { OfferPage } from '../../contract/operator/drop/listed-offers.ts';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { SECRET_KEY, tokenOf } from '../http/mail-links.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';
import { tellStory } from '../support/tell-story.ts';

const folder = mkdtempSync(join(tmpdir(), 'door-'));
const FILM = join(folder, 'camera.y4m');
const browser = openTestBrowser([
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${FILM}`,
]);
const site = openConsoleServer(browser, { SECRET_KEY });
const NAMES = ['ada', 'grace', 'edith'] as const;
const members = new Map<string, Member>();
const codes = new Map<string, string>();

beforeAll(async () => {
  for (const name of NAMES) members.set(name, await site.joinLine(name));
  const change = (kind: string, input: object = {}) =>
    site.call(operatorPaths.changes, { kind, input, reason: 'launch day' });
  for (const [size, stock] of Object.entries({ Small: 3, Medium: 0, Large: 0 }))
    await change('set-stock', { size, stock });
  await site.confirmEverybody();
  await change('freeze-drop', { first: 3, domains: ['example.com'] });
  await change('announce-draw', { by_rank: 3, drawn_among: 0, source: 'none' });
  await change('select-entrants');
  await change('start-offers', { minutes: 720, time_zone: 'UTC' });
  await vi.waitFor(
    async () => {
      const { open } = await site.call<OfferFigures>(operatorPaths.offers);
      expect(open).toBe(3);
    },
    { timeout: 60_000, interval: 200 },
  );
  for (const name of NAMES) {
    const token = tokenOf(idOf(name), 'offer');
    codes.set(name, (await site.call<OwnOffer>(apiPaths.acceptOffer, { token })).offer?.code ?? '');
  }
  for (const [name, role] of Object.entries({ olga: 'owner', dora: 'door', otto: 'door' }))
    await site.call(operatorPaths.operators, { name, email: `${name}@example.com`, role });
});
afterAll(() => rmSync(folder, { recursive: true }));

const idOf = (name: string) => members.get(name)?.id ?? '';
const codeOf = (name: string) => codes.get(name) ?? '';

/** The camera sees this picture, held askew, for ever. */
async function film(picture: Buffer): Promise<void> {
  const [width, height] = [640, 480];
  const held = await sharp(picture)
    .resize(300, 300)
    .rotate(8, { background: '#333' })
    .blur(0.8)
    .toBuffer();
  const brightness = await sharp({ create: { width, height, channels: 3, background: '#333' } })
    .composite([{ input: held }])
    .greyscale()
    .raw()
    .toBuffer();
  const frame = Buffer.concat([
    Buffer.from('FRAME\n'),
    brightness,
    Buffer.alloc((width * height) / 2, 128),
  ]);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(FILM, Buffer.concat([head, frame, frame]));
}

async function filmPassOf(name: string): Promise<void> {
  const { page } = await browser.visit({
    hasRunningClock: true,
    baseURL: site.origin(),
    deviceScaleFactor: 2,
  });
  const token = tokenOf(idOf(name), 'offer');
  await page.goto(`${fillPath(pagePaths.status, idOf(name))}#offer=${token}`);
  await page.getByRole('button', { name: 'Show code' }).click();
  const qr = page.getByRole('img', { name: 'QR code of your pass' });
  await page.locator('.pass-qr[data-drawn]').waitFor();
  await film(await qr.screenshot());
}

async function signIn(name: string, prepare?: (page: Page) => Promise<void>) {
  const { page, context, allowNoise } = await site.visitSignedOut({ viewport: PHONE });
  // Chromium reports unknown codes, and lost connections.
  allowNoise(/404|ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  // It does, too, where a page tries the camera that its document may not use.
  allowNoise(/Permissions policy violation: camera/);
  await prepare?.(page);
  await site.enter(page, `${name}@example.com`);
  return { page, context };
}

/** Waits until the screen says so. */
const read = (page: Page, title: string, text: string | RegExp = '') =>
  page
    .locator('.door-verdict')
    .filter({ has: page.getByRole('heading', { name: title }), hasText: text })
    .waitFor();

async function type(page: Page, code: string): Promise<void> {
  const next = page.getByRole('button', { name: 'Next' });
  if (await next.isVisible()) await next.click();
  await page.getByLabel('Code of the pass').fill(code);
  await page.getByRole('button', { name: 'Check' }).click();
}

/** So many calls reach the server, whose answers are lost on the way back. */
async function dropAnswers(context: BrowserContext, path: string, times: number): Promise<void> {
  const drop = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await context.route((url) => url.pathname === path, drop, { times });
}

const allowsCamera = (page: Page) =>
  page.evaluate(async () => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: true });
      for (const track of stream.getTracks()) track.stop();
      return true;
    } catch {
      return false;
    }
  });

const step = tellStory('passes are scanned at two doors, with network and without');

step('a pass is scanned from its page; the second door learns who was first', async () => {
  await filmPassOf('ada');
  const { page: dora } = await signIn('dora');
  await expect.poll(() => new URL(dora.url()).pathname).toBe('/console/door');
  await read(dora, 'Hand over', /Small.*#1, drop 1.*ada@example\.com/);
  await dora.getByText('1 of 3 passes used').waitFor();
  await expectAccessibleConsole(dora);
  await dora.getByRole('button', { name: 'Wrong tap: take it back' }).click();
  await read(dora, 'Taken back', 'the pass is good again');
  await dora.getByText('0 of 3 passes used').waitFor();
  await type(dora, codeOf('ada'));
  await read(dora, 'Hand over', 'ada@example.com');

  const { page: otto } = await signIn('otto');
  await read(otto, 'Already used', /by dora.*ada@example\.com/);
  await expectAccessibleConsole(otto);

  // The pass is still before the camera, and not taken for another one.
  await dora.getByRole('button', { name: 'Next' }).click();
  const typed = codeOf('ada').replaceAll('-', ' ').toLowerCase();
  await type(dora, typed);
  await read(dora, 'Already used', 'by dora');
  await type(dora, 'NO-SUCH-CODE');
  await read(dora, 'Unknown code', 'There is no pass with this code: ');

  // No other screen is there for them.
  await expect.poll(() => dora.getByRole('navigation').count()).toBe(0);
  await follow(dora, '/members');
  await expect.poll(() => new URL(dora.url()).pathname).toBe('/console/door');
  await dora.getByRole('button', { name: 'Sign out' }).click();
  await dora.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
});

step('without network a scan says so, and is tried again: its mask goes out once', async () => {
  writeFileSync(FILM, '');
  const { page: dora, context } = await signIn('dora');
  await dora.getByText(/of 3 passes used/).waitFor();
  const { page: otto } = await signIn('otto');
  const again = dora.getByRole('button', { name: 'Try again' });
  await context.setOffline(true);
  await type(dora, codeOf('grace'));
  await read(dora, 'No answer', 'Hand over nothing yet');
  await expectAccessibleConsole(dora);
  await again.click();
  await read(dora, 'No answer', 'cannot be reached');
  await context.setOffline(false);
  await again.click();
  await read(dora, 'Hand over', 'grace@example.com');

  // The scan arrives, and its answer does not. Another door learns who was first.
  await dropAnswers(context, operatorPaths.scanPass, 1);
  await type(dora, codeOf('edith'));
  await read(dora, 'No answer');
  await type(otto, codeOf('edith'));
  await read(otto, 'Already used', 'by dora');
  await again.click();
  await read(dora, 'Hand over', 'edith@example.com');
  await dora.getByText('3 of 3 passes used').waitFor();

  // What is taken back without an answer is taken back by trying again, and the pass is good.
  await dropAnswers(context, operatorPaths.undoScan, 1);
  await dora.getByRole('button', { name: 'Wrong tap: take it back' }).click();
  await read(dora, 'No answer', 'may still count as used');
  await again.click();
  await read(dora, 'Taken back', 'the pass is good again');
  await type(dora, codeOf('edith'));
  await read(dora, 'Hand over', 'edith@example.com');

  // A scan that was given up before its answer came can be taken back, too.
  await dora.getByRole('button', { name: 'Wrong tap: take it back' }).click();
  await read(dora, 'Taken back');
  await dropAnswers(context, operatorPaths.scanPass, 1);
  await type(dora, codeOf('edith'));
  await read(dora, 'No answer');
  await dora.getByRole('button', { name: 'Wrong tap: take it back' }).click();
  await read(dora, 'Taken back', 'the pass is good again');
  await dora.getByText('2 of 3 passes used').waitFor();

  const { offers } = await site.call<OfferPage>(operatorPaths.listOffers, { state: 'handed_over' });
  const scannedBy = Object.fromEntries(offers.map(({ email, scanned_by }) => [email, scanned_by]));
  expect(scannedBy).toEqual({ 'ada@example.com': 'dora', 'grace@example.com': 'dora' });
});

step('a browser that reads codes itself loads no decoder; only the door has a camera', async () => {
  const scripts: string[] = [];
  const { page } = await signIn('olga', async (fresh) => {
    fresh.on('request', (request) => scripts.push(request.url()));
    await fresh.addInitScript((rawValue) => {
      class BarcodeDetector {
        static getSupportedFormats = async () => ['qr_code'];
        detect = async () => [{ rawValue }];
      }
      Object.assign(window, { BarcodeDetector });
    }, codeOf('ada'));
  });
  await film(await sharp({ create: BLANK }).png().toBuffer());
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await expect.poll(() => allowsCamera(page)).toBe(false);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Door' }).click();
  await read(page, 'Already used');
  await expect.poll(() => allowsCamera(page)).toBe(true);
  expect(scripts.join()).toContain('door-screen');
  expect(scripts.join()).not.toContain('decode');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await expect.poll(() => allowsCamera(page)).toBe(false);
});

const BLANK = { width: 300, height: 300, channels: 3, background: '#fff' } as const;
