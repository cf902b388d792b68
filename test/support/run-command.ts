import { vi } from 'vitest';
import { runCommandLine } from '../../scripts/command-line/run-command-line.ts';
import { readConfig } from '../../server/config.ts';
import type { Outcome } from './run-program.ts';

/**
 * Runs a command of `./waitlist` in the process of the test, which costs a hundredth of a process
 * of its own. Commands of one process run one after the other, since they print on its console.
 */
export async function runCommand(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Outcome> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text) => void stdout.push(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void stderr.push(`${text}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation(writeInto(stdout)),
  ];
  const exitCodeBefore = process.exitCode;
  process.exitCode = 0;
  try {
    await runCommandLine(args, () => readConfig(settings));
    return { exitCode: process.exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    process.exitCode = exitCodeBefore;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Exports go to the stream itself. */
function writeInto(printed: string[]): typeof process.stdout.write {
  return (chunk: Uint8Array | string, ...rest: unknown[]) => {
    printed.push(Buffer.from(chunk).toString());
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}
