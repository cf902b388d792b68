/** `npm start`: builds the site if it is stale, then runs the server in this process. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// An image has the site without its sources.
if (existsSync(fromRoot('web'))) {
  const build = spawnSync(process.execPath, [fromRoot('scripts/build.ts')], { stdio: 'inherit' });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
// Beside the code, where only those can write who can change the code itself.
enableCompileCache(fromRoot('.cache/compiled'));
await import('../server/process.ts');
