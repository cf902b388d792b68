import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The headless shell is first: with the windows of a desktop, tests take twice as long. */
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

const MAX_INSTALL_MS = 240_000;
/** Offline, apt-get would try for minutes. */
const QUICKLY = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10'];

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  // The headless shell moves letters to whole pixels: they stand unevenly, as on no phone.
  '--font-render-hinting=none',
];

export function findChromium(): string | null {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return isExecutable(chosen) ? chosen : null;
  return findProgram(...NAMES) ?? OTHER_PLACES.find(isExecutable) ?? null;
}

/** The path of Chromium, installed if necessary. Throws an error fit to show. */
export function ensureChromium(): string {
  if (!findChromium() && !process.env.CHROMIUM_PATH) install([PACKAGE]);
  const found = findChromium();
  if (found) return found;
  throw new Error(
    `The browser tests need Chromium: install it (Debian: apt-get install ${PACKAGE}) or set ` +
      'CHROMIUM_PATH.',
  );
}

export function findProgram(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(isExecutable) ?? null;
}

/** Installs them as root on Debian alone. */
export function install(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || findProgram('apt-get') === null) return;
  console.log(`Installing Debian's packages ${packages.join(', ')} ...`);
  const options: SpawnSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: MAX_INSTALL_MS,
  };
  const { status } = spawnSync('apt-get', [...QUICKLY, 'update', '-qq'], options);
  const words = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  if (status === 0) spawnSync('apt-get', [...QUICKLY, ...words], options);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
