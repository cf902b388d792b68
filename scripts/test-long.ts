/** `npm run test:long`: thousands of random histories, of the line and of the offers of a drop. */
import { spawnSync } from 'node:child_process';

const MODELS = ['test/line/model.test.ts', 'test/line/offers-model.test.ts'];
const run = spawnSync('vitest', ['run', '--project', 'database', ...MODELS], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, LONG: '1' },
});
process.exitCode = run.status ?? 1;
