/**
 * Runs before every npm command, on any Node from 20: installs the packages of the lockfile if they
 * are missing or stale. The pinned Node is one of them, so this file cannot be TypeScript.
 * With `--omit=dev`, as the image has it, without the tools that build and test.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.setup-stamp');

/** First version that runs TypeScript without a flag and is accepted by all packages. */
const OLDEST_UNPINNED_NODE = 24;

const ownNode = Number.parseInt(process.versions.node, 10);

function fail(/** @type {string} */ sentence) {
  console.error(sentence);
  process.exit(1);
}

function lockfileStamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of ['package.json', 'package-lock.json'])
    hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockfileStamp();
}

function isWritable(/** @type {string} */ path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** No package needs an install script, and none should run unreviewed. */
function install() {
  console.log('Installing packages (a minute or two the first time) ...');
  const npm = process.env.npm_execpath;
  const words = [
    'ci',
    '--ignore-scripts',
    process.argv.includes('--omit=dev') ? '--omit=dev' : '--include=dev',
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
    fail('The packages could not be installed: see the message from npm above, then try again.');
  linkPinnedNode();
  writeFileSync(stampFile, lockfileStamp());
}

/** npm 9 loses the link when it removes the Node of other platforms, which has the same name. */
function linkPinnedNode() {
  const platform = `${process.platform}-${process.arch}`;
  const packages = [`node-${platform}`, `node-bin-${platform}`];
  const found = packages.find((name) => existsSync(join(modules, name, 'bin', 'node')));
  const link = join(modules, '.bin', 'node');
  if (found !== undefined && !existsSync(link)) symlinkSync(join('..', found, 'bin', 'node'), link);
}

if (ownNode < 20) fail(`Node 20 or newer is required; this is ${process.version}.`);
if (!isInstalled()) {
  if (!isWritable(root))
    fail(
      `Packages have to be installed, and this user may not write to ${root}: ask its owner to.`,
    );
  install();
}

const hasPinnedNode = ['node', 'node.cmd'].some((name) => existsSync(join(modules, '.bin', name)));
if (!hasPinnedNode && ownNode < OLDEST_UNPINNED_NODE) {
  fail(
    `No pinned Node exists for ${process.platform} ${process.arch}: ` +
      `install Node 24 or newer; this is ${process.version}.`,
  );
}
