/** `npm start`: builds the site if it is stale, then runs the server in this process. */
import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const build = spawnSync(process.execPath, [fileURLToPath(new URL('build.ts', import.meta.url))], {
  stdio: 'inherit',
});
if (build.status !== 0) process.exit(build.status ?? 1);
// Beside the code, where only those can write who can change the code itself.
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)));
await import('../server/process.ts');
