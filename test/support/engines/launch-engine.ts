/** Opens a page in one of the three engines. */

import { afterAll, beforeAll, describe, test } from 'vitest';
import { findChromium } from '../../../scripts/chromium.ts';
import { findFirefox, findWebKit } from '../../../scripts/other-engines.ts';
import { ENGINES, type EngineName, type EngineOptions, type EnginePage } from './engine-page.ts';
import { launchWithPuppeteer } from './puppeteer-engine.ts';
import { launchWebKit } from './webkit-engine.ts';

/** Null where the engine is not installed. */
async function launchEngine(
  name: EngineName,
  options: EngineOptions = {},
): Promise<EnginePage | null> {
  if (name === 'WebKit') {
    const programs = findWebKit();
    return programs && (await launchWebKit(programs, options));
  }
  const program = name === 'Firefox' ? findFirefox() : findChromium();
  return program === null ? null : await launchWithPuppeteer(name, program, options);
}

function isInstalled(name: EngineName): boolean {
  if (name === 'WebKit') return findWebKit() !== null;
  return (name === 'Firefox' ? findFirefox() : findChromium()) !== null;
}

/** A test in each engine that is installed, on a page of its own. */
export function testInEngines(
  title: string,
  run: (page: EnginePage) => Promise<void>,
  options?: EngineOptions,
): void {
  describe.each(ENGINES)('in %s', (name) => {
    let page: EnginePage | null = null;
    beforeAll(async () => {
      page = await launchEngine(name, options);
    });
    afterAll(() => page?.close());
    test.runIf(isInstalled(name))(title, async () => {
      if (page) await run(page);
    });
  });
}
