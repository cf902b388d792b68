/** A page that the browser translates lives on, and one that breaks keeps what its member needs. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { translatePages } from '../support/bare-texts.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerStatus, MEMBER } from '../support/browser-api.ts';

const browser = openTestBrowser();
const PATH = fillPath(pagePaths.status, MEMBER.id);
const REFRESH_MS = 30_100;
/** React finds other nodes than the server has sent, and renders the page again. */
const TRANSLATED_BEFORE_HYDRATION = /Minified React error #418/;

async function refreshWith(page: Page, member: Partial<Member>): Promise<void> {
  await answerStatus(page, member);
  await page.clock.runFor(REFRESH_MS);
}

/** One friend after the other, up to the top and back, and the words that tell of each. */
const UPDATES: readonly (readonly [Partial<Member>, readonly string[]])[] = [
  [{ is_confirmed: false }, ['Check your email to confirm your place']],
  [
    { joined_referrals: 14, confirmed_referrals: 11, settled_referrals: 10 },
    ['14 friends, 11 confirmed, 10 count', 'Tier 0'],
  ],
  [
    { referral_count: 3, tier_level: 1, position: 120 },
    ['Tier 1', '20 places to go', '8 places up'],
  ],
  [
    { referral_count: 9, tier_level: 3, position: 99 },
    ['Tier 3', 'In the top 100', 'Save the picture'],
  ],
  [
    { tier_level: 0, position: 140, next_tier: null },
    ['Tier 0', '41 places back', 'the last tier'],
  ],
  [{ rewards_unlocked: ['A shirt'], position: 101 }, ['1 place to go', 'Next reward: A shirt']],
];

test('a translated status page shows every change', async () => {
  const { page, context, open, allowNoise } = await browser.visit();
  allowNoise(TRANSLATED_BEFORE_HYDRATION);
  await translatePages(context);
  await answerStatus(page);
  await open(PATH);
  await page.getByText('Tier 0').waitFor();
  await expect.poll(() => page.locator('font').count()).toBeGreaterThan(10);
  for (const [member, words] of UPDATES) {
    await refreshWith(page, member);
    for (const word of words)
      await page.getByText(word).filter({ visible: true }).first().waitFor();
  }
  await expect.poll(() => page.locator('.badge').allInnerTexts()).toContain('Tier 0');
});

test('a status page that breaks keeps position and invite link, up to date', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/NotFoundError/);
  await answerStatus(page, { tier_level: 1 });
  await open(PATH);
  await page.getByText('Tier 1').waitFor();
  // A translating extension does so, and React cannot know of it.
  await page.locator('.badge svg').evaluate((icon) => icon.remove());
  await refreshWith(page, { tier_level: 0, position: 99 });
  await page.getByText('This page stopped working.').waitFor();
  const heading = page.getByRole('heading', { level: 1 });
  await expect.poll(() => heading.innerText()).toMatch(/ghost\s+#99\s+in line/i);
  const link = page.getByRole('textbox', { name: 'Invite link' });
  await expect
    .poll(() => link.inputValue())
    .toBe(new URL(fillPath(pagePaths.invite, MEMBER.referral_code), page.url()).href);
  await refreshWith(page, { position: 98 });
  await expect.poll(() => heading.innerText()).toContain('#98');
  await page.getByRole('link', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'Share & Climb the Ranks' }).waitFor();
});
