import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

export type Outcome = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/**
 * Runs a program with these settings of the waitlist and no DATABASE_URL of the test; from another
 * folder with `cwd`.
 */
export async function runProgram(
  [program = '', ...words]: readonly string[],
  settings: Readonly<Record<string, string>>,
  options: SpawnOptions = {},
): Promise<Outcome> {
  const { DATABASE_URL: _own, ...inherited } = process.env;
  const child = spawn(program, words, {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  const out = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    out.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    out.stderr += chunk;
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, ...out };
}
