/** Pages in their states: axe finds nothing, and they fit from 320 px up. */
import { describe, expect, inject, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';
import { dropPageStates } from '../support/drop-states.ts';
import { mailPageStates } from '../support/mail-page-states.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';
import { isAll } from '../support/test-form.ts';

/** The states that most visitors see. */
const MOST_SEEN = [
  'landing',
  'invite',
  'invalid invite',
  'page not found',
  'status',
  'member not found',
  'offered',
  'pass',
];

const browser = openTestBrowser();
const draw = {
  name: 'draw',
  async reach({ page, allowNoise }: Visitor) {
    allowNoise(/404/);
    await page.goto(pagePaths.draw);
    await page.getByText('When the list closes').first().waitFor();
  },
};

describe.each([
  ['of the line', pageStates],
  ['of a drop', [draw, ...dropPageStates]],
] as const)('every state %s', (which, all) => {
  const states = all.filter((state) => isAll || state === draw || MOST_SEEN.includes(state.name));

  test('is accessible, fits every width, and differs from every other of the line', async () => {
    const visitor = await browser.visit({
      baseURL: inject(which === 'of the line' ? 'strictSiteUrl' : 'siteUrl'),
      permissions: ['clipboard-write'],
    });
    /** Accessibility trees found so far. */
    const found = new Set<string>();
    await lookAtEach(visitor, states, async ({ name }) => {
      found.add(await visitor.page.locator('body').ariaSnapshot());
      await expectAccessiblePage(visitor.page, name);
    });
    if (which === 'of the line') expect(found.size).toBe(states.length);
    if (which === 'of the line' && isAll) expect(found.size).toBeGreaterThanOrEqual(24);
  });
});

test.runIf(isAll)('every page of a mail is accessible, fits, and has no script', async () => {
  const visitor = await browser.visit();
  const states = mailPageStates.map(({ name, reach }) => ({
    name,
    reach: async () => reach(visitor, { ...(await joinLine()), secretKey: inject('secretKey') }),
  }));
  await lookAtEach(visitor, states, async ({ name }) => {
    await expect.poll(() => visitor.page.locator('script').count()).toBe(0);
    await expectAccessiblePage(visitor.page, name);
  });
});

test.runIf(isAll)('the states of the line are visited under StrictMode', async () => {
  const { page, open } = await browser.visit({ baseURL: inject('strictSiteUrl') });
  const isStrict = () =>
    page.locator('main').evaluate((main) => {
      type Fiber = { readonly type: unknown; readonly return: Fiber | null };
      const entry = Object.entries(main).find(([key]) => key.startsWith('__reactFiber'));
      let fiber = (entry?.[1] ?? null) as Fiber | null;
      while (fiber && fiber.type !== Symbol.for('react.strict_mode')) fiber = fiber.return;
      return fiber !== null;
    });
  for (const path of [
    pagePaths.landing,
    fillPath(pagePaths.invite, MEMBER.referral_code),
    fillPath(pagePaths.status, MEMBER.id),
  ]) {
    await answerStatus(page);
    await answerCall(page, 'verifyReferral', {
      json: { valid: true, referrer_email: 'host@example.com' },
    });
    await open(path);
    await expect.poll(isStrict, { message: path }).toBe(true);
  }
});
