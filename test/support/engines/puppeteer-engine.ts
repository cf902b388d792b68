/** Chromium over its own protocol, and Firefox over WebDriver BiDi. */
import { launch } from 'puppeteer-core';
import { CHROMIUM_FLAGS } from '../../../scripts/chromium.ts';
import type { EngineOptions, EnginePage } from './engine-page.ts';

const FLAGS = [...CHROMIUM_FLAGS, '--disable-component-update', '--disable-sync'];

/** Twice as large, and of text alone: 2 is the value of that choice. */
const LARGE_TEXT = { 'browser.display.os-zoom-behavior': 2, 'ui.textScaleFactor': 200 };

export async function launchWithPuppeteer(
  name: 'Chromium' | 'Firefox',
  program: string,
  { isMoving = false, hasLargeText = false }: EngineOptions,
): Promise<EnginePage> {
  const isFirefox = name === 'Firefox';
  const browser = await launch({
    browser: isFirefox ? 'firefox' : 'chrome',
    executablePath: program,
    headless: isFirefox ? true : 'shell',
    args: isFirefox ? [] : FLAGS,
    extraPrefsFirefox: {
      'ui.prefersReducedMotion': isMoving ? 0 : 1,
      ...(hasLargeText && LARGE_TEXT),
    },
    defaultViewport: null,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  if (!isFirefox && !isMoving)
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  return {
    name,
    version: (await browser.version()).replace(/^\D*/, ''),
    async open(url) {
      await page.goto(url);
    },
    resize: (size) => page.setViewport(size),
    evaluate: (run, ...given) => page.evaluate(run as never, ...(given as unknown as never[])),
    click: (selector) => page.click(selector),
    type: (selector, text) => page.type(selector, text),
    pressTab: () => page.keyboard.press('Tab'),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}
