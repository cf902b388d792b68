/** The whole journey of a visitor on a phone, in every installed engine, for docs/BROWSERS.md. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINES } from '../../support/engines/engine-page.ts';
import { JOURNEY, travel } from '../../support/engines/journey.ts';
import { isInstalled, launchEngine } from '../../support/engines/launch-engine.ts';
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

test.each(ENGINES)('a visitor gets all the way in %s', async (name) => {
  if (!isInstalled(name)) return;
  const page = await launchEngine(name);
  if (!page) return;
  try {
    await page.resize({ width: 390, height: 844 });
    const outcomes = await travel({ page, site, memberId: '' });
    const answers = Array.from(
      outcomes,
      ([step, failure]) => [step, failure === null ? 'yes' : 'no'] as const,
    );
    columns.set(name, new Map([['Version', page.version], ...answers]));
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(JOURNEY.map((step) => [step.name, null])),
    );
  } finally {
    await page.close();
  }
});
