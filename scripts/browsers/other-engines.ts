/**
 * Firefox and WebKit for the tests beside Chromium: finds Debian's packages, or installs them as
 * root. Without them these tests are left out, and say so.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isExecutable } from '../chromium.ts';

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

const MAX_INSTALL_MS = 240_000;
const QUICK_APT = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10'];

/** `FIREFOX_PATH` if set, otherwise Debian's Firefox or another one, or null. */
export function findFirefox(): string | null {
  return process.env.FIREFOX_PATH ?? findProgram('firefox-esr') ?? findProgram('firefox');
}

export function findWebKit(): WebKitPrograms | null {
  const driver = findProgram('WebKitWebDriver');
  const display = findProgram('Xvfb');
  const browser = findMiniBrowser();
  return driver && browser && display ? { driver, browser, display } : null;
}

/** One sentence for each engine that is not there, after trying to install it. */
export function ensureOtherEngines(): readonly string[] {
  const isDebianRoot = process.getuid?.() === 0 && findProgram('apt-get') !== null;
  const isMissing = { Firefox: () => !findFirefox(), WebKit: () => !findWebKit() };
  const missing = () => (['Firefox', 'WebKit'] as const).filter((name) => isMissing[name]());
  const packages = missing().flatMap((name) => PACKAGES[name]);
  if (packages.length > 0 && isDebianRoot) install(packages);
  return missing().map(
    (name) =>
      `SKIPPED: the tests in ${name}, which is not installed (Debian: apt-get install ` +
      `${PACKAGES[name].join(' ')}).`,
  );
}

function install(packages: readonly string[]): void {
  console.log(`Installing Debian's packages ${packages.join(', ')} ...`);
  const options: SpawnSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: MAX_INSTALL_MS,
  };
  const { status } = spawnSync('apt-get', [...QUICK_APT, 'update', '-qq'], options);
  if (status !== 0) return;
  const words = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  spawnSync('apt-get', [...QUICK_APT, ...words], options);
}

/** Not on the PATH: beside the libraries of its version, in a folder of the architecture. */
function findMiniBrowser(): string | null {
  const folders = listFolder('/usr/lib').flatMap((folder) =>
    listFolder(join('/usr/lib', folder))
      .filter((inside) => inside.startsWith('webkit'))
      .map((inside) => join('/usr/lib', folder, inside, 'MiniBrowser')),
  );
  return folders.sort().findLast(isExecutable) ?? null;
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function findProgram(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}
