import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** A page takes half as long for it as for `axe.source`. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Playwright keeps the timers that its clock replaces: axe runs by them while the page stands. */
const RUNNING = `(({ setTimeout, clearTimeout, Date }) => { ${SOURCE} })(
  globalThis.__pwClock?.builtins ?? globalThis
);`;

/** Puts axe into the document of the page, unless it is there. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(RUNNING);
}
