/** What has happened since a member was here, or since a mail about friends. */
import { expect, test } from 'vitest';
import { fillPath, ownStatusPath, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerStatus, MEMBER, STATS } from '../support/browser-api.ts';
import { readDigits } from '../support/position-digits.ts';

const browser = openTestBrowser();

const path = fillPath(pagePaths.status, MEMBER.id);

const storeMember = (member: typeof MEMBER) => {
  localStorage.setItem('waitlist.member_id', member.id);
  localStorage.setItem('waitlist.member', JSON.stringify(member));
};

test('a returning member reads what has happened since, and nobody else', async () => {
  const { page, open } = await browser.visit();
  const stored = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('waitlist.member') ?? '{}'));
  await open(pagePaths.landing);
  await page.evaluate(storeMember, { ...MEMBER, position: 130 });
  await answerStatus(page, { referral_count: 3 });
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await expect.poll(() => readDigits(page)).toEqual(['>#', '>1', '3>2', '0>8']);
  await page.getByText('Since you were here: 2 friends joined, 2 places up.').waitFor();
  await expect.poll(async () => (await stored()).position).toBe(128);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(2);

  // A tier that was reached in the member's absence flares on their return.
  await expect.poll(() => page.locator('.tier-flare').count()).toBe(0);
  await answerStatus(page, { referral_count: 3, tier_level: 2 });
  await open(path);
  await page.locator('.ghost-card .tier-flare').waitFor({ state: 'attached' });

  const other = { ...MEMBER, id: 'somebody-else', position: 7 };
  await page.evaluate(storeMember, other);
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await expect.poll(stored).toEqual(other);
});

test('the link of a mail about friends replays their move in another browser, once', async () => {
  const { page, open } = await browser.visit();
  const readStored = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('waitlist.member') ?? '{}').position);
  await answerStatus(page, { referral_count: 3 });
  await open(`${ownStatusPath(MEMBER.id)}&was=231.0`);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await page.getByText('3 friends joined, 103 places up.', { exact: true }).waitFor();
  await expect.poll(() => readDigits(page)).toEqual(['>#', '2>1', '3>2', '1>8']);
  await page.getByText('103 places up', { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await expect.poll(readStored).toBe(128);

  // From now on this browser has its own record, which the old mail does not replace.
  await answerStatus(page, { referral_count: 4, position: 126 });
  await open(pagePaths.landing);
  await open(`${ownStatusPath(MEMBER.id)}&was=231.0`);
  await page.getByText('Since you were here: 1 friend joined, 2 places up.').waitFor();
  await expect.poll(() => readDigits(page)).toEqual(['>#', '>1', '>2', '8>6']);
});

test('a standing that the line never had is not replayed', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page, { referral_count: 3 });
  await open(`${ownStatusPath(MEMBER.id)}&was=${STATS.total_signups + 1}.0`);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await expect.poll(() => readDigits(page)).toEqual(['>#', '>1', '>2', '>8']);
  await expect.poll(() => page.locator('.position-news, .move-chip').count()).toBe(0);
});
