/** `npm run waitlist -- <command>`: the operator's command line for the running server. */
import { parseArgs } from 'node:util';
import { readSettings, reportFailure, UsageError } from './operator/call-operator.ts';
import { type Command, commands, type Options } from './operator/commands.ts';

const OPTIONS = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  format: { type: 'string' },
  output: { type: 'string' },
  note: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const { help, ...options } = values;
  const [name, ...words] = positionals;
  const command = name === undefined || name === 'help' ? undefined : commands[name];
  if (help || name === undefined || name === 'help') {
    console.log(command === undefined || name === undefined ? overview() : explain(name, command));
    if (!help && name === undefined) process.exitCode = 2;
    return;
  }
  if (command === undefined) throw new UsageError(`Unknown command ${name}.`);
  checkUsage(name, command, words, options);
  await command.run(readSettings(), words, options);
}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error),
    );
  }
}

function checkUsage(
  name: string,
  command: Command,
  words: readonly string[],
  options: Options,
): void {
  const unknown = (Object.keys(options) as (keyof Options)[]).find(
    (option) => !command.options.includes(option),
  );
  if (unknown !== undefined) throw new UsageError(`${name} has no option --${unknown}.`);
  if (words.length !== command.words) throw new UsageError(`Usage: ${usageOf(name, command)}`);
}

function overview(): string {
  const sections = Object.entries(commands).map(([name, command]) => explain(name, command));
  const ending = 'Every command but export and remove prints JSON with --json.';
  return [
    'Commands for the operator of the waitlist. The server must be running.',
    ...sections,
    ending,
  ].join('\n\n');
}

function explain(name: string, command: Command): string {
  return `  ${usageOf(name, command)}\n      ${command.about}`;
}

function usageOf(name: string, { usage }: Command): string {
  return `npm run waitlist -- ${name} ${usage}`.trimEnd();
}

try {
  await main();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message} Try: npm run waitlist -- --help`);
    process.exitCode = 2;
  } else reportFailure(error);
}
