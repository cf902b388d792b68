/** Finds Chromium for the browser tests, or installs Debian's package as root. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The headless shell first: without the windows of a desktop, tests take half the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chrome.exe',
];
const PACKAGE = 'chromium-headless-shell';
const OTHER_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** `CHROMIUM_PATH` if set, otherwise the first Chromium found, or null. */
export function findChromium(): string | null {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return isExecutable(chosen) ? chosen : null;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...OTHER_PLACES,
  ];
  return candidates.find(isExecutable) ?? null;
}

/** The path of Chromium, installed if necessary. Throws an error fit to show. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  const isDebianRoot = process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get');
  if (process.env.CHROMIUM_PATH || !isDebianRoot) {
    throw new Error(
      `The browser tests need Chromium: install it (Debian: apt-get install ${PACKAGE}) or set ` +
        'CHROMIUM_PATH.',
    );
  }
  console.log(`Installing Debian's package ${PACKAGE} ...`);
  const options: SpawnSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', PACKAGE], options);
  const installed = findChromium();
  if (!installed)
    throw new Error(
      `Debian's package ${PACKAGE} could not be installed: see the message from apt-get above.`,
    );
  return installed;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
