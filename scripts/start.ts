import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readOptions } from './command-line/read-options.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const LOOK_EVERY_MS = 500;
readOptions('npm start: builds and runs the server. Its settings: docs/install.md', {});

// npm's shell may end on a signal without passing it on; an orphan would hold folder and port.
const shell = process.ppid;
if (process.env.npm_lifecycle_event === 'start')
  setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS).unref();

// An image has the site without its sources.
if (existsSync(fromRoot('web'))) {
  const build = spawnSync(process.execPath, [fromRoot('scripts/build.ts')], { stdio: 'inherit' });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
// Users who can write this cache can already write the code beside it.
enableCompileCache(fromRoot('.cache/compiled'));
await import('../server/process.ts');
