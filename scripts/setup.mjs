/**
 * Runs before every npm command, on whatever Node (20 or newer) the machine has: installs the packages of the lockfile when they
 * are missing or stale. Among them is the pinned Node on which everything else runs, which is why this file alone is not TypeScript.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.setup-stamp');

/** The first Node that runs TypeScript without a flag and that every package here accepts. */
const OLDEST_UNPINNED_NODE = [24, 0];

function fail(/** @type {string} */ sentence) {
  console.error(sentence);
  process.exit(1);
}

function isOlderThan(/** @type {string} */ version, /** @type {number[]} */ [major = 0, minor = 0]) {
  const [ownMajor = 0, ownMinor = 0] = version.replace('v', '').split('.').map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

function lockfileStamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockfileStamp();
}

/** Install scripts are not run: no package here needs one, and none may run unseen. */
function install() {
  console.log('Installing packages (a minute or two the first time) ...');
  const npm = process.env.npm_execpath;
  const words = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const options = /** @type {const} */ ({ cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const run = npm
    ? spawnSync(process.execPath, [npm, ...words], options)
    : spawnSync('npm', words, { ...options, shell: process.platform === 'win32' });
  if (run.status !== 0)
    fail('The packages could not be installed: see the message of npm above, then run the command again.');
  writeFileSync(stampFile, lockfileStamp());
}

if (isOlderThan(process.version, [20])) fail(`Node 20 or newer is needed to start; this is ${process.version}.`);
if (!isInstalled()) install();

const hasPinnedNode = ['node', 'node.cmd'].some((name) => existsSync(join(root, 'node_modules', '.bin', name)));
if (!hasPinnedNode && isOlderThan(process.version, OLDEST_UNPINNED_NODE)) {
  fail(
    `There is no pinned Node for ${process.platform} ${process.arch}: install Node 24 or newer; this is ${process.version}.`,
  );
}
