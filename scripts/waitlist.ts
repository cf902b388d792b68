/** The operator's command line: `./waitlist <command>`, or `npm run waitlist -- <command>`. */
import { readArguments } from './command-line/arguments.ts';
import { findCommand, UsageError } from './command-line/command.ts';
import { listCandidates } from './command-line/completion.ts';
import { explainAll, explainOne } from './command-line/help.ts';
import { endWithReader } from './command-line/output.ts';
import { enterProgramFolder } from './command-line/working-folder.ts';
import { readSettings, reportFailure } from './operator/call-operator.ts';
import { commands } from './operator/commands.ts';
import { listSizeNames } from './operator/masks.ts';

async function main(args: readonly string[]): Promise<void> {
  const [first, ...begun] = args;
  if (first === 'complete') return await complete(begun);
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
async function complete(words: readonly string[]): Promise<void> {
  const listSizes = async () => listSizeNames(readSettings());
  const candidates = await listCandidates(words, { commands, listSizes }).catch(() => []);
  if (candidates.length > 0) console.log(candidates.join('\n'));
}

endWithReader();
enterProgramFolder();
try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    const isAnswered = error.message.endsWith('?');
    console.error(isAnswered ? error.message : `${error.message} Try: ./waitlist --help`);
    process.exitCode = 2;
  } else reportFailure(error);
}
