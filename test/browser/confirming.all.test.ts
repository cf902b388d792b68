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
const CONFIRM_LINE = 'Check your email to confirm your place';

let site: OwnSite;
beforeAll(async () => {
  site = await openOwnSite({ LIMITS: 'off', REFERRAL_CREDIT: 'confirm' });
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

function readConfirmLink({ id }: Member): string | null {
  const folder = join(site.place.dataDir, 'mail');
  const mails = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(id) && name.endsWith('.eml'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''));
  return /http\S+\/confirm\/[\w-]+/.exec(mails.join())?.[0] ?? null;
}

async function waitForConfirmLink(member: Member): Promise<string> {
  await expect.poll(() => readConfirmLink(member)).not.toBeNull();
  return readConfirmLink(member) ?? '';
}

test('friends count once confirmed; the inviter sees how many have yet to confirm', async () => {
  const inviter = await joinLine();
  const friends = [
    await joinLine(inviter.referral_code),
    await joinLine(inviter.referral_code),
  ] as const;
  const { page, open } = await browser.visit({ baseURL: site.url });
  await open(fillPath(pagePaths.status, inviter.id));
  const count = page.locator('.referral-count .visually-hidden');
  await page.getByText('2 friends, 0 confirmed, 0 count', { exact: true }).waitFor();
  await expect.poll(() => count.innerText()).toBe('0');
  await expect.poll(() => page.getByText(CONFIRM_LINE).count()).toBe(1);
  await expectAccessiblePage(page);

  const { page: mailPage } = await browser.visit({ baseURL: site.url });
  for (const member of [friends[0], inviter]) {
    await mailPage.goto(await waitForConfirmLink(member));
    await mailPage.getByRole('button', { name: 'Confirm my place' }).click();
    await mailPage.getByRole('heading', { name: 'Your place is confirmed' }).waitFor();
  }

  await page.clock.runFor(REFRESH_MS);
  await page.getByText('2 friends, 1 confirmed, 1 counts', { exact: true }).waitFor();
  await expect.poll(() => count.innerText()).toBe('1');
  await expect.poll(() => page.getByText(CONFIRM_LINE).count()).toBe(0);
  await page
    .getByRole('status')
    .getByText('You have 1 referral. 2 friends, 1 confirmed, 1 counts. Your place is confirmed.')
    .waitFor({ state: 'attached' });
});

test('a friend who joins while the page is open appears at the next refresh', async () => {
  const inviter = await joinLine();
  const { page, open } = await browser.visit({ baseURL: site.url });
  await open(fillPath(pagePaths.status, inviter.id));
  await page.getByText('Referrals', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('0 confirmed').count()).toBe(0);
  await joinLine(inviter.referral_code);
  await page.clock.runFor(REFRESH_MS);
  await page.getByText('1 friend, 0 confirmed, 0 count', { exact: true }).waitFor();
  await page
    .getByRole('status')
    .getByText('1 friend, 0 confirmed, 0 count.')
    .waitFor({ state: 'attached' });
});
