/** When friends count: once they confirm, or at once in what pages show and for good later. */
import { afterEach, expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { joinLine, readStatus } from '../support/browser-line.ts';
import { type OwnSite, openOwnSite } from '../support/own-site.ts';

const browser = openTestBrowser();
const REFRESH_MS = 30_100;
const CONFIRM_LINE = 'Check your email to confirm your place';

let site: OwnSite;
afterEach(() => site.close());

const join = (inviter?: Member) =>
  joinLine({ siteUrl: site.url, referredBy: inviter?.referral_code ?? null });
const statusOf = ({ id }: Member) => readStatus(id, site.url);

/** The link of the welcome that has this in it. */
async function readLink({ id }: Member, part: '#confirm=' | '/confirm/'): Promise<string> {
  const read = () =>
    site
      .readMails(id)
      .flatMap(
        (mail) =>
          mail.replaceAll('=3D', '=').match(/http\S+(?:#confirm=|\/confirm\/)[\w-]+/g) ?? [],
      )
      .find((link) => link.includes(part)) ?? '';
  await expect.poll(read).not.toBe('');
  return read();
}

test('friends count once confirmed; the inviter sees how many have yet to confirm', async () => {
  site = await openOwnSite({ LIMITS: 'off', REFERRAL_CREDIT: 'confirm' });
  const inviter = await join();
  const friends = [await join(inviter), await join(inviter)] as const;
  const { page, open } = await browser.visit({ baseURL: site.url });
  await open(fillPath(pagePaths.status, inviter.id));
  const count = page.locator('.referral-count .visually-hidden');
  await page.getByText('2 friends, 0 confirmed, 0 count', { exact: true }).waitFor();
  await expect.poll(() => count.innerText()).toBe('0');
  await expect.poll(() => page.getByText(CONFIRM_LINE).count()).toBe(1);
  await expectAccessiblePage(page);

  const { page: mailPage } = await browser.visit({ baseURL: site.url });
  for (const member of [friends[0], inviter]) {
    await mailPage.goto(await readLink(member, '/confirm/'));
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

test('the mailed status link confirms once somebody uses the page, and not before', async () => {
  site = await openOwnSite({ LIMITS: 'off' });
  const inviter = await join();
  const friend = await join(inviter);
  await expect.poll(() => statusOf(friend)).toMatchObject({ is_confirmed: false });
  const { page, open } = await browser.visit({ baseURL: site.url });
  await open(fillPath(pagePaths.status, inviter.id));
  await page.getByText('1 friend, 0 confirmed, 0 count', { exact: true }).waitFor();
  await page.getByText('Only confirmed friends count when the line freezes, one of').waitFor();
  await expectAccessiblePage(page);

  const { page: own } = await browser.visit({ baseURL: site.url });
  const link = await readLink(friend, '#confirm=');
  // A mail about friends has this link.
  await own.goto(`${link}&was=2.0`);
  await expect.poll(() => new URL(own.url()).hash).toBe('');
  await own.evaluate(() => document.body.dispatchEvent(new Event('pointerdown')));
  await own.evaluate(() => document.querySelector('button')?.click());
  await expect.poll(() => statusOf(friend)).toMatchObject({ is_confirmed: false });
  await own.keyboard.press('Tab');
  await expect.poll(async () => (await statusOf(friend)).is_confirmed).toBe(true);
  await expect
    .poll(() => statusOf(inviter))
    .toMatchObject({ referral_count: 1, confirmed_referrals: 1 });

  await page.clock.runFor(REFRESH_MS);
  await page.getByText('1 friend, 1 confirmed, 1 counts', { exact: true }).waitFor();

  const { page: plain } = await browser.visit({ baseURL: site.url, javaScriptEnabled: false });
  const other = await join(inviter);
  await plain.goto(await readLink(other, '/confirm/'));
  await expect.poll(() => statusOf(other)).toMatchObject({ is_confirmed: false });
  await plain.getByRole('button', { name: 'Confirm my place' }).click();
  await plain.getByRole('heading', { name: 'Your place is confirmed' }).waitFor();
  await expect.poll(() => statusOf(other)).toMatchObject({ is_confirmed: true });
});
