/** A member's page on paper: one sheet, dark on white, with the code of a pass. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PASS } from '../../web/dev/sample-drops.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerStatus, MEMBER } from '../support/browser-api.ts';
import { answerDrop, dropPageStates, pathTo } from '../support/drop-states.ts';

const browser = openTestBrowser();

const states = dropPageStates.filter(({ name }) => ['pass', 'pass-used', 'chosen'].includes(name));

async function countSheets(page: Page, format: 'A4' | 'Letter'): Promise<number> {
  const pdf = (await page.pdf({ format })).toString('latin1');
  return [...pdf.matchAll(/\/Type \/Page\b/g)].length;
}

async function expectPaper(page: Page): Promise<void> {
  for (const format of ['A4', 'Letter'] as const)
    await expect.poll(() => countSheets(page, format), { message: format }).toBe(1);
  await page.emulateMedia({ media: 'print' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).background);
  await expect.poll(background).toBe('rgba(0, 0, 0, 0)');
  await expect.poll(ground).toContain('rgb(255, 255, 255)');
  const controls = page.locator('button, .button, video, .page-footer, .toast-viewport');
  await expect.poll(() => controls.filter({ visible: true }).count()).toBe(0);
}

describe('a printed page', () => {
  test('shows a member in line on one sheet', async () => {
    const { page, open } = await browser.visit();
    await answerStatus(page, { ...MEMBER, rewards_unlocked: ['A shirt', 'A sticker'] });
    await open(pathTo({}));
    await page.getByRole('button', { name: 'Choose sizes' }).waitFor();
    await expectPaper(page);
    await page.locator('.ghost-card-face svg').waitFor();
    await page.getByRole('textbox', { name: 'Invite link' }).waitFor();
  });

  test.each(states)('shows a drop on one sheet: $name', async ({ reach }) => {
    const visitor = await browser.visit();
    await reach(visitor);
    await expectPaper(visitor.page);
  });

  test('has the code of a pass, which the page hides', async () => {
    const { page, open } = await browser.visit();
    await answerDrop(page, { offer: PASS });
    await open(pathTo({ hasLink: true }));
    const code = page.getByText(PASS.code ?? '');
    const qr = page.locator('.pass-qr[data-drawn]');
    await qr.waitFor({ state: 'attached' });
    await code.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'print' });
    await code.waitFor();
    await qr.waitFor();
  });
});
