import { spawnSync } from 'node:child_process';

const MODELS = ['model', 'offers-model', 'till-model'].map((name) => `test/line/${name}.test.ts`);
const ODDS = 'server/drop/views/odds-rules.test.ts';
const PROJECTS = ['--project', 'database', '--project', 'unit'];
const run = spawnSync('vitest', ['run', ...PROJECTS, ...MODELS, ODDS], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, TESTS: 'long' },
});
process.exitCode = run.status ?? 1;
