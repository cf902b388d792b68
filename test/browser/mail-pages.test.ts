import { readFile } from 'node:fs/promises';
import { describe, expect, inject, test } from 'vitest';
import { fillPath, mailPagePaths, ownStatusPath } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { joinLine, readStatus } from '../support/browser-line.ts';
import { press, tokenOf } from '../support/mail-page-states.ts';

const browser = openTestBrowser();

const newMember = async () => ({ ...(await joinLine()), secretKey: inject('secretKey') });

describe('without script', () => {
  const visit = () =>
    browser.visit({ javaScriptEnabled: false, hasRunningClock: true, acceptDownloads: true });

  test('a member confirms and gets a link to the status page', async () => {
    const member = await newMember();
    const { page } = await visit();
    await page.goto(fillPath(mailPagePaths.confirm, tokenOf(member, 'confirm')));
    await press(page, 'Confirm my place');
    const link = page.getByRole('link', { name: 'Open my page' });
    await expect.poll(() => link.getAttribute('href')).toBe(ownStatusPath(member.id));
  });

  test('mail is stopped and resumed by keyboard, with a visible focus', async () => {
    const member = await newMember();
    const { page } = await visit();
    await page.goto(fillPath(mailPagePaths.preferences, tokenOf(member, 'preferences')));
    for (const name of ['Stop all mail', 'Turn mail on again', 'Stop all mail']) {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      // Wordmark and status link come before it.
      for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab');
      await expect
        .poll(() => button.evaluate((element) => element === document.activeElement))
        .toBe(true);
      await expect
        .poll(() => button.evaluate((element) => getComputedStyle(element).outlineStyle))
        .toBe('solid');
      await page.keyboard.press('Enter');
    }
    await page.getByText('Stopped', { exact: true }).waitFor();
  });

  test('a member downloads their data, cancels leaving once, and leaves', async () => {
    const member = await newMember();
    const { page, expectNoise } = await visit();
    const path = fillPath(mailPagePaths.preferences, tokenOf(member, 'preferences'));
    await page.goto(path);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, 'Download my data'),
    ]);
    expect(download.suggestedFilename()).toBe('my-waitlist-data.json');
    await expect
      .poll(async () => JSON.parse(await readFile(await download.path(), 'utf8')).member.email)
      .toBe(member.email);

    await page.getByRole('link', { name: 'Leave the line' }).click();
    await page.getByRole('link', { name: 'Keep my place' }).click();
    await expect.poll(async () => (await readStatus(member.id)).email).toBe(member.email);
    await page.getByRole('link', { name: 'Leave the line' }).click();
    await press(page, 'Leave and erase me');
    await page.getByRole('heading', { name: 'You have left the line' }).waitFor();
    await expect.poll(() => readStatus(member.id)).toEqual({ detail: expect.any(String) });
    expectNoise(/404/);
    await page.goto(path);
    await page.getByRole('heading', { name: 'This link leads nowhere' }).waitFor();
  });
});
