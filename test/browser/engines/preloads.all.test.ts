import { afterAll, beforeAll, expect } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../../contract/paths.ts';
import { joinLine } from '../../support/browser-line.ts';
import { waitForText } from '../../support/engines/engine-page.ts';
import { testInEngines } from '../../support/engines/launch-engine.ts';
import { openWatchedSite, type WatchedSite } from '../../support/engines/watched-site.ts';

let site: WatchedSite;
beforeAll(async () => {
  site = await openWatchedSite();
});
afterAll(() => site.close());

testInEngines('a page asks once for the member, for the stats, and for an invite', async (page) => {
  const { id, referral_code: code, email } = await joinLine({ siteUrl: site.url });
  site.forget();
  await page.open(site.url + fillPath(pagePaths.status, id));
  await waitForText(page, code);
  await expect.poll(() => site.countOf(fillPath(apiPaths.status, id))).toBe(1);
  await expect.poll(() => site.countOf(apiPaths.stats)).toBe(1);
  await page.open(site.url + fillPath(pagePaths.invite, code));
  await waitForText(page, email);
  await expect.poll(() => site.countOf(fillPath(apiPaths.verifyReferral, code))).toBe(1);
});
