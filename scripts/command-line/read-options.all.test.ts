/** The scripts of npm: what they answer to a call for help and to wrong options. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../test/support/run-program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPTS = ['demo/demo.ts', 'demo/rehearse.ts', 'bench/bench.ts', 'scripts/start.ts'] as const;

const run = (...args: string[]) => runProgram([process.execPath, ...args], {}, { cwd: ROOT });

describe.each(SCRIPTS)('%s', (script) => {
  test('explains its options', async () => {
    const { exitCode, stdout, stderr } = await run(script, '--help');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^npm \S+/);
  });

  test('refuses an unknown option in one sentence', async () => {
    const { exitCode, stderr } = await run(script, '--nope');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "Unknown option '--nope'. Try: --help\n",
    });
  });
});

test.each([
  ['demo/demo.ts', '--members=99', '--members must be a whole number from 100.'],
  ['demo/demo.ts', 'more', "Unexpected argument 'more'. Try: --help"],
  ['demo/rehearse.ts', '--minutes=61', '--minutes must be from 0 to 60.'],
  [
    'bench/bench.ts',
    '--only=live,none',
    'No part none among embedded,postgres,growth,live-embedded,live-postgres,drop-crowd,' +
      'drop-embedded,drop-postgres,fairness,lighthouse.',
  ],
])('%s refuses %s', async (script, argument, sentence) => {
  const { exitCode, stderr } = await run(script, argument);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `${sentence}\n` });
});

test('an option stands with its usual value, and a flag as it is given', async () => {
  const { stdout } = await run('demo/demo.ts', '--help');
  expect(stdout).toContain('--members 5000\n');
  expect(stdout).toContain('--no-browser\n');
});
