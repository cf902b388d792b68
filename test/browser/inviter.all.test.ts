import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { newMemberId } from '../../server/line/member-id-rules.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, holdCall, MEMBER } from '../support/browser-api.ts';

const browser = openTestBrowser();
const PHONE = { width: 390, height: 844 };

test('a member names their inviter once: refusals stand at the field, then thanks', async () => {
  const { page, open, expectNoise } = await browser.visit({ viewport: PHONE });
  expectNoise(/422/);
  const member = {
    ...MEMBER,
    id: newMemberId(await page.evaluate(() => Date.now()), new Uint8Array(10)),
  };
  await answerStatus(page, member);
  await answerCall(page, 'inviter', { json: { until: new Date().toISOString() } });
  await open(fillPath(pagePaths.status, member.id));
  const card = page.getByRole('region', { name: 'Who invited you?' });
  const field = card.getByRole('textbox', { name: 'Their link or code' });
  const button = card.getByRole('button', { name: 'Credit your friend' });

  await page.getByRole('button', { name: 'Who invited you?' }).click();
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);

  const detail = 'No member has this code. Please check it, or ask your friend for their link.';
  const refused = await answerCall(page, 'inviter', { status: 422, json: { detail } });
  await field.fill('https://line.example.com/invite/0123456789?via=sms');
  await field.press('Enter');
  await card.getByRole('alert').getByText(detail).waitFor();
  expect(refused.map(({ body }) => body)).toEqual([
    { invite: 'https://line.example.com/invite/0123456789?via=sms' },
  ]);
  const isFocused = (element: Element) => element === document.activeElement;
  await expect.poll(() => field.evaluate(isFocused)).toBe(true);
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(PHONE.width);

  const held = await holdCall(page, 'inviter');
  await field.fill('gh05t1gh06');
  await button.click();
  await expect.poll(() => button.isDisabled()).toBe(true);
  held.release({ json: member });
  const thanks = card.getByText('Thank you. It counts as if you had joined by their link.');
  await thanks.waitFor();
  await expect.poll(() => thanks.evaluate(isFocused)).toBe(true);
  await expect.poll(() => field.count()).toBe(0);
});

test('nobody is asked who had an invite, or who joined days ago', async () => {
  const { page, open } = await browser.visit({ viewport: PHONE });
  const now = await page.evaluate(() => Date.now());
  const old = { ...MEMBER, id: newMemberId(now - 3 * 86_400_000, new Uint8Array(10)) };
  const invited = { ...MEMBER, id: newMemberId(now, new Uint8Array(10)) };
  const calls = await answerCall(page, 'inviter', { json: { until: null } });
  for (const member of [old, invited]) {
    await answerStatus(page, member);
    await open(fillPath(pagePaths.status, member.id));
    await page.getByRole('heading', { name: 'Your size' }).waitFor();
  }
  await expect.poll(() => calls).toHaveLength(1);
  await expect.poll(() => page.getByText('Who invited you?').count()).toBe(0);
});
