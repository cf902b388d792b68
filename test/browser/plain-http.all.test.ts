/** A site on plain HTTP under a name of its own, to which browsers send no Sec-Fetch headers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPath, landingWithReferral, PLAIN_QUERY, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { joinLine, newAddress, readStatus } from '../support/browser-line.ts';
import { type OwnSite, openOwnSite } from '../support/own-site.ts';

const NAME = 'waitlist.test';
const browser = openTestBrowser([`--host-resolver-rules=MAP ${NAME} 127.0.0.1`]);

let site: OwnSite;
beforeAll(async () => {
  site = await openOwnSite({ LIMITS: 'off' });
});
afterAll(() => site.close());

test.each(['landing', 'invite'] as const)(
  'the form of the %s page joins without script',
  async (form) => {
    const inviter = await joinLine({ siteUrl: site.url });
    const code = inviter.referral_code;
    const baseURL = new URL(site.url);
    baseURL.hostname = NAME;
    const { page, context, allowNoise, expectNoise } = await browser.visit({
      baseURL: baseURL.origin,
      javaScriptEnabled: false,
      hasRunningClock: true,
    });
    allowNoise(/^failed: .*\.js csp$/);
    allowNoise(/preloaded using link preload but not used/);
    // Browsers warn of policies that need a secure origin.
    allowNoise(/untrustworthy|origin-keyed/);
    expectNoise(/422/);
    const posted: Record<string, string>[] = [];
    context.on('request', async (request) => {
      if (request.method() === 'POST') posted.push(await request.allHeaders());
    });
    await page.goto(
      form === 'landing' ? landingWithReferral(code) : fillPath(pagePaths.invite, code),
    );
    await page.locator('button[type="submit"]').click();
    const message = 'Please enter your email to join the waitlist.';
    await page.locator('[data-form-message]:visible', { hasText: message }).waitFor();
    await page.getByLabel('Email').fill(newAddress());
    await page.locator('button[type="submit"]').click();
    await page.waitForURL(new RegExp(`/thank-you/[0-9a-f-]{36}\\?${PLAIN_QUERY}$`));
    await expect.poll(() => readStatus(inviter.id, site.url)).toMatchObject({ referral_count: 1 });
    await expect
      .poll(() => posted.map((headers) => [headers.origin, headers['sec-fetch-site']]))
      .toEqual([
        [baseURL.origin, undefined],
        [baseURL.origin, undefined],
      ]);
  },
);
