import type { Config } from '../../server/config.ts';
import { readCommit, readVersion } from '../../server/version.ts';
import { OperatorError, reportFailure } from '../operator/call-operator.ts';
import { commands, groups } from '../operator/commands.ts';
import { listSizeNames } from '../operator/find.ts';
import { readArguments } from './arguments.ts';
import { explainAll, explainOne } from './command.ts';
import { listCandidates } from './completion.ts';
import { nameAsTyped, UsageError } from './values.ts';

/** Sets the exit code of the process: 2 for wrong arguments, 1 for another failure. */
export async function runCommandLine(
  args: readonly string[],
  readSettings: () => Config,
): Promise<void> {
  try {
    await run(args, readSettings);
  } catch (error) {
    if (!(error instanceof UsageError)) return reportFailure(error);
    const hasAdvice = error.message.endsWith('?');
    console.error(hasAdvice ? error.message : `${error.message} Try: ./waitlist --help`);
    process.exitCode = 2;
  }
}

async function run(args: readonly string[], readSettings: () => Config): Promise<void> {
  const [first, ...begun] = args;
  if (first === 'complete') return await complete(begun, readSettings);
  const read = readArguments(args, commands);
  if (read.kind === 'call') {
    const { words, options } = read;
    return await read.run({ config: readSettings(), words, options }).catch((error) => {
      if (error instanceof OperatorError) error.message = nameAsTyped(error.message, options);
      throw error;
    });
  }
  if (read.kind === 'version') return console.log(`${readVersion()} (${readCommit()})`);
  if (read.kind === 'help' && read.command !== undefined)
    return console.log(explainOne(read.name, read.command));
  if (read.kind === 'help') return console.log(explainAll(groups));
  console.error(explainAll(groups));
  process.exitCode = 2;
}

async function complete(words: readonly string[], readSettings: () => Config): Promise<void> {
  const listSizes = async () => listSizeNames(readSettings());
  const candidates = await listCandidates(words, { commands, listSizes }).catch(() => []);
  if (candidates.length > 0) console.log(candidates.join('\n'));
}
