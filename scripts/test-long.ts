/** `npm run test:long`: at least 2,000 random histories of the line, on both engines and rules. */
import { spawnSync } from 'node:child_process';

const run = spawnSync('vitest', ['run', '--project', 'database', 'test/line/model.test.ts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, LONG: '1' },
});
process.exitCode = run.status ?? 1;
