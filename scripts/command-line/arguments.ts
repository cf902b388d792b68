import { parseArgs } from 'node:util';
import {
  type Command,
  type Commands,
  findCommand,
  labelsOf,
  suggestName,
  usageOf,
} from './command.ts';
import { OPTIONS, type OptionName, type Options, readOption } from './options.ts';
import { assertChoice, UsageError } from './values.ts';

type Read =
  | { readonly kind: 'help'; readonly name: string; readonly command?: Command }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly words: readonly string[];
      readonly options: Options;
      readonly run: NonNullable<Command['run']>;
    }
  | { readonly kind: 'version' | 'nothing' };

/** `-h` and `--help` ask for help wherever they stand before `--`, and never run a command. */
export function readArguments(args: readonly string[], commands: Commands): Read {
  const { positionals, tokens, options } = parse(args);
  const [first, ...rest] = positionals;
  const end = args.indexOf('--');
  const flags = args.slice(0, end < 0 ? args.length : end);
  if (flags.includes('-h') || flags.includes('--help') || first === 'help') {
    const named = first === 'help' ? rest : positionals;
    if (named[0] === undefined || named[0] === 'help') return { kind: 'help', name: 'help' };
    const { name, command } = getCommand(commands, named);
    return { kind: 'help', name, command };
  }
  if (first === undefined && flags.includes('--version')) return { kind: 'version' };
  if (first === undefined) {
    checkOptions(tokens, './waitlist', []);
    return { kind: 'nothing' };
  }
  const { name, command, words } = getCommand(commands, positionals);
  checkOptions(tokens, name, command.options ?? []);
  const { run } = command;
  const labels = labelsOf(command);
  const needed = labels.filter((label) => !label.startsWith('['));
  if (run === undefined || words.length < needed.length || words.length > labels.length)
    throw new UsageError(`Usage: ./waitlist ${usageOf(name, command)}.`);
  const empty = words.findIndex((word) => word.trim() === '');
  if (empty >= 0) throw new UsageError(`${labels[empty]} must not be empty.`);
  for (const [index, word] of words.entries()) assertChoice(word, labels[index] ?? '<any>');
  return { kind: 'call', name, words, options, run };
}

function parse(args: readonly string[]) {
  const types = Object.keys(OPTIONS).map((name) => {
    const hasValue = readOption(name)?.value !== null;
    return [name, { type: hasValue ? 'string' : 'boolean' }] as const;
  });
  const { tokens } = parseArgs({
    allowPositionals: true,
    // It would throw errors of several lines.
    strict: false,
    tokens: true,
    options: Object.fromEntries(types),
    // No argument has a NUL: it keeps negative numbers from being read as options.
    args: args.map((arg) => arg.replace(/^-(?=\d)/, '\0')),
  });
  for (const token of tokens)
    if (token.kind !== 'option-terminator') token.value &&= token.value.replace(/^\0/, '-');
  const texts = tokens.flatMap((token) =>
    token.kind === 'option' ? [[token.name, token.value ?? 'yes']] : [],
  );
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? token.value : []));
  return { tokens, positionals, options: Object.fromEntries(texts) as Options };
}

function getCommand(commands: Commands, words: readonly string[]) {
  const found = findCommand(commands, words);
  const [first = ''] = words;
  if (found === undefined)
    throw new UsageError(
      `There is no command ${first}.${suggestName(first, Object.keys(commands))}`,
    );
  const [next] = found.words;
  if (found.command.commands !== undefined && next !== undefined) {
    const names = Object.keys(found.command.commands);
    const advice = suggestName(next, names) || ` It has ${names.join(', ')}.`;
    throw new UsageError(`${found.name} has no command "${next}".${advice}`);
  }
  return found;
}

function checkOptions(
  tokens: ReturnType<typeof parse>['tokens'],
  commandName: string,
  names: readonly OptionName[],
): void {
  for (const token of tokens ?? []) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!names.some((one) => one === name))
      throw new UsageError(
        `${commandName} has no option ${rawName}.${suggestName(name, names, '--')}`,
      );
    const label = readOption(name)?.value ?? null;
    if (label === null && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    if (label === null) continue;
    if (!value?.trim() || (!inlineValue && /^-(?!\d)/.test(value)))
      throw new UsageError(`${rawName} needs a value.`);
    assertChoice(value, label, `${rawName} is`);
  }
}
