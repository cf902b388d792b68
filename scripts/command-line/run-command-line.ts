import { type Command, CommanderError } from 'commander';
import type { Config } from '../../server/config.ts';
import { reportFailure } from '../operator/call-operator.ts';
import { commands } from '../operator/commands.ts';
import { listSizeNames } from '../operator/fields.ts';
import { listCandidates } from './completion.ts';
import { createProgram, run } from './program.ts';

/** Sets the exit code of the process: 2 for wrong arguments, 1 for another failure. */
export async function runCommandLine(
  args: readonly string[],
  readSettings: () => Config,
): Promise<void> {
  const program = createProgram(commands, readSettings);
  const [first, ...words] = args;
  try {
    if (first === 'complete') return await complete(program, words, readSettings);
    await run(program, args);
  } catch (error) {
    if (!(error instanceof CommanderError)) reportFailure(error);
    else if (error.exitCode !== 0) process.exitCode = 2;
  }
}

async function complete(program: Command, words: readonly string[], readSettings: () => Config) {
  const listSizes = async () => await listSizeNames(readSettings());
  const candidates = await listCandidates(program, words, listSizes).catch(() => []);
  if (candidates.length > 0) console.log(candidates.join('\n'));
}
