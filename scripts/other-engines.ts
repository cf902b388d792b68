/** Finds or installs Firefox and WebKit; tests are skipped where their engine is missing. */
import { globSync } from 'node:fs';
import { findProgram, install, isExecutable } from './chromium.ts';

export type WebKitPrograms = {
  readonly driver: string;
  readonly browser: string;
  /** A screen without a screen: WebKitGTK has no headless mode. */
  readonly display: string;
};

const PACKAGES = {
  Firefox: ['firefox-esr'],
  // The last two, which WebKit only recommends, play the teaser: MP4 and H.264.
  WebKit: ['webkit2gtk-driver', 'xvfb', 'gstreamer1.0-plugins-good', 'gstreamer1.0-libav'],
} as const;

export function findFirefox(): string | null {
  return process.env.FIREFOX_PATH ?? findProgram('firefox-esr', 'firefox');
}

export function findWebKit(): WebKitPrograms | null {
  const driver = findProgram('WebKitWebDriver');
  const display = findProgram('Xvfb');
  const browser = findMiniBrowser();
  return driver && browser && display ? { driver, browser, display } : null;
}

export function ensureOtherEngines(): readonly string[] {
  const isMissing = { Firefox: () => !findFirefox(), WebKit: () => !findWebKit() };
  const missing = () => (['Firefox', 'WebKit'] as const).filter((name) => isMissing[name]());
  const packages = missing().flatMap((name) => PACKAGES[name]);
  if (packages.length > 0) install(packages);
  return missing().map(
    (name) =>
      `SKIPPED: the tests in ${name}, which is not installed (Debian: apt-get install ` +
      `${PACKAGES[name].join(' ')}).`,
  );
}

function findMiniBrowser(): string | null {
  return globSync('/usr/lib/*/webkit*/MiniBrowser').sort().findLast(isExecutable) ?? null;
}
