import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { newAddress, readStatus } from '../support/browser-line.ts';
import { readToast } from '../support/browser-toast.ts';

const browser = openTestBrowser();

/** Keys from the landing page to a copied link, without the letters of the address. */
const MAX_KEYS = 12;

type Stop = { readonly name: string; readonly outline: string };

const readFocus = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return { name: '', outline: '' };
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const label =
      element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : element.innerText;
    const name = element.ariaLabel ?? label ?? '';
    return { name: name.trim(), outline: `${outlineStyle} ${outlineWidth}` };
  });

async function tabThrough(page: Page, count: number): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press('Tab');
    stops.push(await readFocus(page));
  }
  return stops;
}

const namesOf = (stops: readonly Stop[]) => stops.map(({ name }) => name.toLowerCase());

test.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
])('on a %s a member joins and copies the link by keys alone', async (_name, viewport) => {
  const { page, open } = await browser.visit({
    viewport,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const email = newAddress();
  let keys = 0;
  async function press(key: string): Promise<void> {
    keys += 1;
    await page.keyboard.press(key);
  }
  async function tabTo(name: string): Promise<void> {
    while ((await readFocus(page)).name.toLowerCase() !== name.toLowerCase()) await press('Tab');
  }
  await open(pagePaths.landing);
  await tabTo('join the waitlist');
  await press('Enter');
  await page.locator('input[type="email"]:focus').waitFor();
  await page.keyboard.type(email);
  await press('Enter');
  await page.waitForURL(/\/thank-you\//);
  await page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();
  const { referral_code: code } = await readStatus(page.url().split('/').at(-1) ?? '');

  await tabTo('Copy invite link');
  await press('Enter');
  await readToast(page, 'Link copied!');
  expect(keys, 'keys other than those that type the address').toBeLessThanOrEqual(MAX_KEYS);
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(inject('siteUrl') + fillPath(pagePaths.invite, code));
});

const READING_ORDER: readonly [path: string, stops: readonly string[]][] = [
  [
    pagePaths.landing,
    [brand.name.toLowerCase(), 'join the waitlist', 'music', 'email', 'secure your spot'],
  ],
  [
    fillPath(pagePaths.status, MEMBER.id),
    [
      brand.name.toLowerCase(),
      'music',
      'invite link',
      'copy invite link',
      'share & climb the ranks',
    ],
  ],
  [
    fillPath(pagePaths.invite, MEMBER.referral_code),
    [brand.name.toLowerCase(), 'music', 'email', 'accept invite & join'],
  ],
];

test('on every page the focus follows the reading order and is always visible', async () => {
  const { page, open } = await browser.visit({ viewport: DESKTOP });
  await answerStatus(page);
  await answerCall(page, 'verifyReferral', {
    json: { valid: true, referrer_email: 'host@example.com' },
  });
  for (const [path, wanted] of READING_ORDER) {
    await open(path);
    await page
      .getByRole('button', { name: /^(SECURE YOUR SPOT|Copy invite link|Accept Invite & Join)$/ })
      .waitFor();
    const stops = await tabThrough(page, wanted.length);
    expect(namesOf(stops), path).toEqual(wanted);
    for (const { outline } of stops) expect(outline, path).toBe('solid 2px');
  }
});

test('after a join the focus is on the new page', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await answerCall(page, 'join', { status: 201, json: MEMBER });
  await open(pagePaths.landing);
  await page.getByLabel('Email').fill(MEMBER.email);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/thank-you\//);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
});
