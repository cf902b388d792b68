/** Opens a page in one of the three engines. */

import { findChromium } from '../../../scripts/chromium.ts';
import { findFirefox, findWebKit } from '../../../scripts/other-engines.ts';
import type { EngineName, EngineOptions, EnginePage } from './engine-page.ts';
import { launchWithPuppeteer } from './puppeteer-engine.ts';
import { launchWebKit } from './webkit-engine.ts';

/** Null where the engine is not installed. */
export async function launchEngine(
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

/** True where tests in the engine can run. */
export function isInstalled(name: EngineName): boolean {
  if (name === 'WebKit') return findWebKit() !== null;
  return (name === 'Firefox' ? findFirefox() : findChromium()) !== null;
}
