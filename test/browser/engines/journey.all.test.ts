/** The whole journey of a visitor on a phone, in every installed engine, for docs/BROWSERS.md. */
import { afterAll, beforeAll, expect } from 'vitest';
import { ENGINES } from '../../support/engines/engine-page.ts';
import { JOURNEY, travel } from '../../support/engines/journey.ts';
import { testInEngines } from '../../support/engines/launch-engine.ts';
import { openWatchedSite, type WatchedSite } from '../../support/engines/watched-site.ts';
import { recordRow } from '../../support/record-row.ts';

/** By engine: the version, and whether each step that was reached succeeded. */
const columns = new Map<string, ReadonlyMap<string, string>>();
let site: WatchedSite;

beforeAll(async () => {
  site = await openWatchedSite();
});
afterAll(() => {
  for (const row of ['Version', ...JOURNEY.map(({ name }) => name)]) {
    const cellOf = (engine: string) => columns.get(engine)?.get(row) ?? 'not reached';
    const cells = ENGINES.map((engine) => (columns.has(engine) ? cellOf(engine) : '–'));
    recordRow('On a phone of 390 x 844', [row, ...cells]);
  }
  return site.close();
});

testInEngines('a visitor gets all the way', async (page) => {
  await page.resize({ width: 390, height: 844 });
  const outcomes = await travel({ page, site, memberId: '' });
  const answers = Array.from(
    outcomes,
    ([step, failure]) => [step, failure === null ? 'yes' : 'no'] as const,
  );
  columns.set(page.name, new Map([['Version', page.version], ...answers]));
  expect(Object.fromEntries(outcomes)).toEqual(
    Object.fromEntries(JOURNEY.map((step) => [step.name, null])),
  );
});
