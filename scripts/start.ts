/** `npm start`: builds the site if it is stale, then runs the server in this process. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const LOOK_EVERY_MS = 500;

// npm passes signals to its shell, which may end by them without passing them on. A server that is
// left behind would hold the data folder and the port.
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
// Beside the code, where only those can write who can change the code itself.
enableCompileCache(fromRoot('.cache/compiled'));
await import('../server/process.ts');
