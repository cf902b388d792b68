/** Some browser tests visit a build in which StrictMode renders twice and mounts twice. */
import { expect, inject, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';

const browser = openTestBrowser();

const PAGES = [
  pagePaths.landing,
  fillPath(pagePaths.invite, MEMBER.referral_code),
  fillPath(pagePaths.status, MEMBER.id),
];

test('every page runs under StrictMode', async () => {
  const visitor = await browser.visit({ baseURL: inject('strictSiteUrl') });
  const { page, open } = visitor;
  const isStrict = () =>
    page.locator('main').evaluate((main) => {
      type Fiber = { readonly type: unknown; readonly return: Fiber | null };
      const entry = Object.entries(main).find(([key]) => key.startsWith('__reactFiber'));
      let fiber = (entry?.[1] ?? null) as Fiber | null;
      while (fiber && fiber.type !== Symbol.for('react.strict_mode')) fiber = fiber.return;
      return fiber !== null;
    });
  for (const path of PAGES) {
    await answerStatus(page);
    await answerCall(page, 'verifyReferral', {
      json: { valid: true, referrer_email: 'host@example.com' },
    });
    await open(path);
    await expect.poll(isStrict, { message: path }).toBe(true);
  }
});
