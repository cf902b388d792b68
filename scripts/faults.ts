/** `npm run faults`: the faults of `npm test`, as often as it takes to trust them. */
import { spawnSync } from 'node:child_process';

const run = spawnSync(
  'vitest',
  ['run', '--project', 'database', ...(process.argv[2] ? [process.argv[2]] : ['test/faults'])],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, FAULTS: 'full' },
  },
);
process.exitCode = run.status ?? 1;
