/** Reads the words and options of a command line. Throws UsageError, one sentence. */
import { parseArgs } from 'node:util';
import {
  type Command,
  type Commands,
  findCommand,
  OPTIONS,
  type Options,
  readOption,
  UsageError,
} from './command.ts';
import { suggestName } from './suggest.ts';

/** `name` is null for all commands. */
type Help = { readonly kind: 'help'; readonly name: string | null };
type Call = {
  readonly kind: 'call';
  readonly name: string;
  readonly words: readonly string[];
  readonly options: Options;
};
type Nothing = { readonly kind: 'nothing' };

/** `-h` and `--help` ask for help wherever they stand before `--`, and never run a command. */
export function readArguments(args: readonly string[], commands: Commands): Help | Call | Nothing {
  const { positionals, tokens, values } = parse(args);
  const end = args.indexOf('--');
  const wantsHelp = args
    .slice(0, end < 0 ? args.length : end)
    .some((word) => word === '-h' || word === '--help');
  const [first, ...rest] = positionals;
  if (wantsHelp || first === 'help') {
    const name = (first === 'help' ? rest[0] : first) ?? null;
    if (name !== null && name !== 'help') getCommand(commands, name);
    return { kind: 'help', name: name === 'help' ? null : name };
  }
  const command = first === undefined ? null : getCommand(commands, first);
  checkOptions(tokens, first ?? './waitlist', command);
  if (first === undefined || command === null) return { kind: 'nothing' };
  const { words, optionalWords = 0 } = command;
  if (rest.length < words || rest.length > words + optionalWords)
    throw new UsageError(`Usage: ${usageOf(first, command)}.`);
  return { kind: 'call', name: first, words: rest, options: values as Options };
}

export function usageOf(name: string, { usage }: Command): string {
  return `./waitlist ${name} ${usage}`.trimEnd();
}

function parse(args: readonly string[]) {
  // Not strict, because the errors of `strict` are paragraphs.
  const settings = { allowPositionals: true, strict: false, tokens: true } as const;
  return parseArgs({ ...settings, options: OPTIONS, args: [...args] });
}

function getCommand(commands: Commands, name: string): Command {
  const command = findCommand(commands, name);
  if (command === undefined)
    throw new UsageError(`There is no command ${name}.${suggestName(name, Object.keys(commands))}`);
  return command;
}

function checkOptions(
  tokens: ReturnType<typeof parse>['tokens'],
  commandName: string,
  command: Command | null,
): void {
  const names: readonly string[] = command?.options ?? [];
  for (const token of tokens ?? []) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!names.includes(name))
      throw new UsageError(
        `${commandName} has no option ${rawName}.${suggestName(name, names, '--')}`,
      );
    const isText = readOption(name)?.type === 'string';
    if (isText && (value === undefined || (!inlineValue && value.startsWith('-'))))
      throw new UsageError(`${rawName} needs a value.`);
    if (!isText && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  }
}
