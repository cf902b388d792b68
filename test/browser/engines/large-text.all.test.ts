import { afterAll, beforeAll, expect } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../../contract/paths.ts';
import { measureOverflow } from '../../support/accessible-page.ts';
import { joinLine } from '../../support/browser-line.ts';
import { type EnginePage, waitForText } from '../../support/engines/engine-page.ts';
import { testInEngines } from '../../support/engines/launch-engine.ts';
import { openWatchedSite, type WatchedSite } from '../../support/engines/watched-site.ts';

const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

let site: WatchedSite;
let pages: [path: string, text: string][];

beforeAll(async () => {
  site = await openWatchedSite();
  const member = await joinLine({ siteUrl: site.url });
  site.answer(fillPath(apiPaths.status, member.id), { ...member, position: 128_480 });
  pages = [
    [pagePaths.landing, 'SECURE YOUR SPOT'],
    [fillPath(pagePaths.status, member.id), member.referral_code],
    [fillPath(pagePaths.invite, member.referral_code), member.email],
    [fillPath(pagePaths.status, 'nobody'), 'Invalid or expired link'],
    ['/nothing-here', 'Nobody'],
  ];
});
afterAll(() => site.close());

/** Imitates the setting of Firefox, in engines whose drivers lack it. */
function enlargeText(page: EnginePage): Promise<void> {
  return page.evaluate(() => {
    const sizes = [...document.querySelectorAll<HTMLElement>('body, body *')].map(
      (element) => [element, Number.parseFloat(getComputedStyle(element).fontSize)] as const,
    );
    for (const [element, size] of sizes) element.style.fontSize = `${2 * size}px`;
  });
}

testInEngines(
  'no page is wider than a phone or a desktop',
  async (page) => {
    for (const size of SIZES) {
      await page.resize(size);
      for (const [path, text] of pages) {
        await page.open(site.url + path);
        await waitForText(page, text);
        if (page.name !== 'Firefox') await enlargeText(page);
        await expect
          .poll(() => measureOverflow(page), { message: `${path} at ${size.width}` })
          .toBeLessThanOrEqual(0);
      }
    }
  },
  { hasLargeText: true },
);
