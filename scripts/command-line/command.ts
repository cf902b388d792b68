import type { Config } from '../../server/config.ts';
import { nearestName } from '../../server/nearest-name.ts';
import { type OptionName, type Options, readOption } from './options.ts';

export type Call = {
  readonly config: Config;
  readonly words: readonly string[];
  readonly options: Options;
};

export type Command = {
  readonly about?: string;
  /** Labels of the words: `<any>`, `[optional]` or `one|of|few`; then options that it needs. */
  readonly usage?: string;
  readonly options?: readonly OptionName[];
  readonly completeLast?: (begun: string) => readonly string[];
  readonly commands?: Commands;
  readonly run?: (call: Call) => Promise<void>;
};

export type Commands = Readonly<Record<string, Command>>;

type Found = {
  readonly name: string;
  readonly command: Command;
  readonly words: readonly string[];
};

export function findCommand(
  commands: Commands,
  [name = '', ...words]: readonly string[],
): Found | undefined {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return undefined;
  const inner = findCommand(command.commands ?? {}, words);
  return inner === undefined
    ? { name, command, words }
    : { ...inner, name: `${name} ${inner.name}` };
}

export function labelsOf({ usage = '' }: Command): readonly string[] {
  const [words = ''] = usage.split(/ ?--/);
  return words.match(/"[^"]*"|<[^>]*>|\[[^\]]*\]|\S+/g) ?? [];
}

export function usageOf(name: string, { usage = '', commands, run }: Command): string {
  if (commands === undefined) return `${name} ${usage}`.trimEnd();
  const inner = Object.entries(commands).map((entry) => usageOf(...entry));
  return run === undefined ? `${name} ${inner.join(' | ')}` : `${name} [${inner.join(' | ')}]`;
}

/** One line a command: its first sentence. */
export function explainAll(groups: Readonly<Record<string, Commands>>): string {
  const names = Object.values(groups).flatMap((commands) => Object.keys(commands));
  const width = Math.max(...names.map(({ length }) => length));
  const sections = Object.entries(groups).map(([title, commands]) => {
    const lines = Object.entries(commands).map(
      ([name, { about = '' }]) => `  ${name.padEnd(width)}  ${firstSentence(about)}`,
    );
    return [title, ...lines].join('\n');
  });
  return [
    'Usage: ./waitlist <command>. Most commands call the running server.',
    ...sections,
    './waitlist help <command> explains one with its words and options, as --help does. ' +
      '--version\nprints version and commit of the program.',
  ].join('\n\n');
}

function firstSentence(text: string): string {
  return text.replace(/(?<=[.:;]) .*/s, '').replace(/[:;]$/, '.');
}

export function explainOne(name: string, command: Command): string {
  const below = Object.entries(command.commands ?? {}).map(([inner, one]) =>
    [`  ${usageOf(inner, one)}`, ...(one.options ?? []).map((option) => `[--${option}]`)].join(' '),
  );
  const all = [command, ...Object.values(command.commands ?? {})];
  const names = new Set(all.flatMap(({ options = [] }) => options));
  const options = [...names, 'help'].map((option) => {
    const { value, about } = readOption(option) ?? { value: null, about: 'explain the command' };
    return [`  --${option} ${value ?? ''}`.trimEnd(), about] as const;
  });
  const width = Math.max(...options.map(([option]) => option.length));
  const lines = options.map(([option, about]) => `${option.padEnd(width)}  ${about}`);
  const usage = `  ./waitlist ${usageOf(name, command)}\n      ${command.about ?? ''}`.trimEnd();
  const parts = [[usage], below, lines];
  return parts.flatMap((part) => (part.length === 0 ? [] : part.join('\n'))).join('\n\n');
}

export function suggestName(name: string, names: readonly string[], prefix = ''): string {
  const nearest = nearestName(name, names);
  return nearest === null ? '' : ` Did you mean ${prefix}${nearest}?`;
}
