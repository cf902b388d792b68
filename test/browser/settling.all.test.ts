/** Friends count at once in what pages show; the link in their mail makes them count for good. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { newAddress } from '../support/browser-line.ts';
import { type OwnSite, openOwnSite } from '../support/own-site.ts';

const browser = openTestBrowser();
const REFRESH_MS = 30_100;

let site: OwnSite;
beforeAll(async () => {
  site = await openOwnSite({ LIMITS: 'off' });
});
afterAll(() => site.close());

async function joinLine(referredBy: string | null = null): Promise<Member> {
  const response = await fetch(site.url + apiPaths.join, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: newAddress(), referred_by: referredBy }),
  });
  return (await response.json()) as Member;
}

const readStatus = async ({ id }: Member) =>
  (await (await fetch(site.url + fillPath(apiPaths.status, id))).json()) as Member;

async function readMailLinks({ id }: Member): Promise<string[]> {
  const folder = join(site.place.dataDir, 'mail', id);
  const read = () =>
    readdirSync(folder, { encoding: 'utf8' })
      .filter((name) => name.endsWith('.eml'))
      .map((name) =>
        readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='),
      )
      .flatMap((mail) => mail.match(/http\S+(?:#confirm=|\/confirm\/)[\w-]+/g) ?? []);
  await expect.poll(() => new Set(read().map((link) => link.slice(-55))).size).toBe(1);
  return [...new Set(read())];
}

test('the mailed status link confirms once somebody uses the page, and not before', async () => {
  const inviter = await joinLine();
  const friend = await joinLine(inviter.referral_code);
  await expect.poll(() => readStatus(friend)).toMatchObject({ is_confirmed: false });
  const { page, open } = await browser.visit({ baseURL: site.url });
  await open(fillPath(pagePaths.status, inviter.id));
  await page.getByText('1 friend, 0 confirmed, 0 count', { exact: true }).waitFor();
  await page.getByText('Only confirmed friends count when the line freezes, one of').waitFor();
  await expectAccessiblePage(page);

  const { page: own } = await browser.visit({ baseURL: site.url });
  const [link = ''] = (await readMailLinks(friend)).filter((one) => one.includes('#confirm='));
  // As in a mail about friends.
  await own.goto(`${link}&was=2.0`);
  await expect.poll(() => new URL(own.url()).hash).toBe('');
  await own.evaluate(() => document.body.dispatchEvent(new Event('pointerdown')));
  await own.evaluate(() => document.querySelector('button')?.click());
  await expect.poll(() => readStatus(friend)).toMatchObject({ is_confirmed: false });
  await own.keyboard.press('Tab');
  await expect.poll(async () => (await readStatus(friend)).is_confirmed).toBe(true);
  await expect
    .poll(() => readStatus(inviter))
    .toMatchObject({ referral_count: 1, confirmed_referrals: 1 });

  await page.clock.runFor(REFRESH_MS);
  await page.getByText('1 friend, 1 confirmed, 1 counts', { exact: true }).waitFor();
});

test('a browser without script confirms by the other link of the mail', async () => {
  const friend = await joinLine((await joinLine()).referral_code);
  const [link = ''] = (await readMailLinks(friend)).filter((one) => one.includes('/confirm/'));
  const { page } = await browser.visit({ baseURL: site.url, javaScriptEnabled: false });
  await page.goto(link);
  await expect.poll(() => readStatus(friend)).toMatchObject({ is_confirmed: false });
  await page.getByRole('button', { name: 'Confirm my place' }).click();
  await page.getByRole('heading', { name: 'Your place is confirmed' }).waitFor();
  await expect.poll(() => readStatus(friend)).toMatchObject({ is_confirmed: true });
});
