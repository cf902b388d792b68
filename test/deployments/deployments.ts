/**
 * `npm run deployments`: builds the image, types docs/install.md on an empty Debian, and kills
 * servers behind each proxy. Needs root, half an hour, and Debian's packages; without one of them
 * its test is skipped.
 */
import { spawnSync } from 'node:child_process';
import { buildSite, DIST } from '../../scripts/build.ts';

const PACKAGES = 'buildah caddy debootstrap haproxy nginx prometheus systemd-container';

console.log(`Debian's packages for all of it: apt-get install ${PACKAGES}`);
await buildSite({ outDir: DIST });
const run = spawnSync(
  'vitest',
  ['run', '--project', 'deployments', '--no-file-parallelism', ...process.argv.slice(2)],
  { stdio: 'inherit', shell: process.platform === 'win32' },
);
process.exitCode = run.status ?? 1;
