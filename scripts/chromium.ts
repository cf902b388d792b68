/** Finds the browser for the browser tests, and installs Debian's package where that is possible. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'chrome.exe'];
const OTHER_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium: `CHROMIUM_PATH` if set, else the first one found; null when there is none. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return isExecutable(named) ? named : null;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...OTHER_PLACES];
  return candidates.find(isExecutable) ?? null;
}

/** The path of a Chromium, installing Debian's package as root. Throws with a sentence for a person when none can be had. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  const isDebianRoot = process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get');
  if (process.env.CHROMIUM_PATH || !isDebianRoot) {
    throw new Error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH.',
    );
  }
  console.log("Installing Debian's package chromium ...");
  const options: SpawnSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  const installed = findChromium();
  if (!installed)
    throw new Error("Debian's package chromium could not be installed: see the message of apt-get above.");
  return installed;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
