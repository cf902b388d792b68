import type { Config } from '../../server/config.ts';
import { reportFailure } from '../operator/call-operator.ts';
import { commands } from '../operator/commands.ts';
import { listSizeNames } from '../operator/masks.ts';
import { readArguments } from './arguments.ts';
import { findCommand, UsageError } from './command.ts';
import { listCandidates } from './completion.ts';
import { explainAll, explainOne } from './help.ts';

/**
 * Runs the words after `./waitlist`. Prints on the console, and sets the exit code of the process
 * if it fails: 2 for wrong arguments, otherwise 1.
 */
export async function runCommandLine(
  args: readonly string[],
  readSettings: () => Config,
): Promise<void> {
  try {
    await run(args, readSettings);
  } catch (error) {
    if (error instanceof UsageError) {
      const isAnswered = error.message.endsWith('?');
      console.error(isAnswered ? error.message : `${error.message} Try: ./waitlist --help`);
      process.exitCode = 2;
    } else reportFailure(error);
  }
}

async function run(args: readonly string[], readSettings: () => Config): Promise<void> {
  const [first, ...begun] = args;
  if (first === 'complete') return await complete(begun, readSettings);
  const read = readArguments(args, commands);
  if (read.kind === 'nothing') {
    console.error(explainAll(commands));
    process.exitCode = 2;
    return;
  }
  const command = read.name === null ? undefined : findCommand(commands, read.name);
  if (read.kind === 'help' || command === undefined) {
    console.log(
      command === undefined || read.name === null
        ? explainAll(commands)
        : explainOne(read.name, command),
    );
    return;
  }
  await command.run(readSettings(), read.words, read.options);
}

/** For the shell, which cannot show errors while somebody types. */
async function complete(words: readonly string[], readSettings: () => Config): Promise<void> {
  const listSizes = async () => listSizeNames(readSettings());
  const candidates = await listCandidates(words, { commands, listSizes }).catch(() => []);
  if (candidates.length > 0) console.log(candidates.join('\n'));
}
