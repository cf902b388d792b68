import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../../contract/paths.ts';
import { joinLine } from '../../support/browser-line.ts';
import { ENGINES, type EnginePage, waitForText } from '../../support/engines/engine-page.ts';
import { isInstalled, launchEngine } from '../../support/engines/launch-engine.ts';
import { openWatchedSite, type WatchedSite } from '../../support/engines/watched-site.ts';

let site: WatchedSite;

beforeAll(async () => {
  site = await openWatchedSite();
});
afterAll(() => site.close());

describe.each(ENGINES)('in %s', (name) => {
  const only = test.runIf(isInstalled(name));
  let page: EnginePage;

  beforeAll(async () => {
    const launched = await launchEngine(name);
    if (launched) page = launched;
  });
  afterAll(() => page?.close());

  only('the status page asks once for the member and once for the stats', async () => {
    const member = await joinLine({ siteUrl: site.url });
    site.forget();
    await page.open(site.url + fillPath(pagePaths.status, member.id));
    await waitForText(page, member.referral_code);
    await expect.poll(() => site.countOf(fillPath(apiPaths.status, member.id))).toBe(1);
    await expect.poll(() => site.countOf(apiPaths.stats)).toBe(1);
  });

  only('the invite page verifies its code once', async () => {
    const member = await joinLine({ siteUrl: site.url });
    site.forget();
    await page.open(site.url + fillPath(pagePaths.invite, member.referral_code));
    await waitForText(page, member.email);
    await expect
      .poll(() => site.countOf(fillPath(apiPaths.verifyReferral, member.referral_code)))
      .toBe(1);
  });
});
