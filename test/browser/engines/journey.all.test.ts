/**
 * The whole journey of a visitor on a phone, in every installed engine. `npm run browsers` stores
 * the outcomes in the folder BROWSERS_REPORT.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINES } from '../../support/engines/engine-page.ts';
import { JOURNEY, travel } from '../../support/engines/journey.ts';
import { isInstalled, launchEngine } from '../../support/engines/launch-engine.ts';
import { openWatchedSite, type WatchedSite } from '../../support/engines/watched-site.ts';

const report = process.env.BROWSERS_REPORT;
let site: WatchedSite;

beforeAll(async () => {
  site = await openWatchedSite();
});
afterAll(() => site.close());

test.each(ENGINES)('a visitor gets all the way in %s', async (name) => {
  if (!isInstalled(name)) return;
  const page = await launchEngine(name);
  if (!page) return;
  try {
    await page.resize({ width: 390, height: 844 });
    const outcomes = await travel({ page, site, memberId: '' });
    const { version } = page;
    if (report !== undefined)
      writeFileSync(
        join(report, `${name}.json`),
        JSON.stringify({ version, outcomes: [...outcomes] }),
      );
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(JOURNEY.map((step) => [step.name, null])),
    );
  } finally {
    await page.close();
  }
});
