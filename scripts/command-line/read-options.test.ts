/** The scripts of npm: what they answer to a call for help and to wrong options. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPTS = [
  'demo/demo.ts',
  'demo/rehearsal/rehearse.ts',
  'bench/bench.ts',
  'scripts/start.ts',
] as const;

function run(script: string, ...args: string[]) {
  return spawnSync(process.execPath, [script, ...args], { cwd: ROOT, encoding: 'utf8' });
}

describe.each(SCRIPTS)('%s', (script) => {
  test('explains its options', () => {
    const { status, stdout, stderr } = run(script, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^npm \S+/);
  });

  test('refuses an unknown option in one sentence', () => {
    const { status, stderr } = run(script, '--nope');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "Unknown option '--nope'. Try: --help\n",
    });
  });
});

test.each([
  ['demo/demo.ts', '--members=99', '--members must be a whole number from 100.'],
  ['demo/demo.ts', 'more', "Unexpected argument 'more'. Try: --help"],
  ['demo/rehearsal/rehearse.ts', '--minutes=61', '--minutes must be from 0 to 60.'],
])('%s refuses %s', (script, argument, sentence) => {
  const { status, stderr } = run(script, argument);
  expect({ status, stderr }).toEqual({ status: 2, stderr: `${sentence}\n` });
});

test('an option stands with its usual value, and a flag as it is given', () => {
  const { stdout } = run('demo/demo.ts', '--help');
  expect(stdout).toContain('--members 5000\n');
  expect(stdout).toContain('--no-browser\n');
});
