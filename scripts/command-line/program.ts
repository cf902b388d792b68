import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../../server/config.ts';
import { readCommit, readVersion } from '../../server/version.ts';

export type Form = {
  /** Left out: the name in kebab-case. */
  readonly option?: string;
  readonly about?: string;
  /** What stands for the value. */
  readonly label?: string;
  readonly isFlag?: boolean;
  readonly isList?: boolean;
  /** Left out: a word must be given, and an option need not. */
  readonly isOptional?: boolean | undefined;
  readonly choices?: readonly string[];
  /** Throws InvalidArgumentError. */
  readonly parse?: (text: string) => unknown;
  readonly usual?: { readonly value: string; readonly about: string };
  /** The object that it is a part of. */
  readonly within?: string;
  /** Makes of what was typed what the API takes, where only the server knows it. */
  readonly find?: (text: string, config: Config) => Promise<unknown>;
};
/** A word or an option of a command. */
export type Field = Form & { readonly name: string };

/** What was given for words and options, by the names of their fields. */
export type Values = {
  readonly [name: string]: unknown;
  readonly audit_head?: string;
  readonly json?: true;
  readonly map?: string;
  readonly note?: string | undefined;
  readonly output?: string;
  readonly path?: string;
  readonly preview?: true;
  readonly reason?: string | undefined;
};

export type Call = { readonly config: Config; readonly values: Values };

export type Definition = {
  /** The title under which the overview has it. */
  readonly group: string;
  /** The words that call it, after those of the group of commands that it belongs to. */
  readonly path: string;
  readonly about: string;
  readonly words: readonly Field[];
  readonly options: readonly Field[];
  /** Left out: a group of commands, which does nothing itself. */
  readonly run?: (call: Call) => Promise<void>;
};

/** Its errors are printed as one sentence, and thrown as CommanderError. */
export function createProgram(
  definitions: readonly Definition[],
  readSettings: () => Config,
): Command {
  const program = new Command('./waitlist')
    .exitOverride()
    // Options of a group, such as --json, are also those of its commands.
    .enablePositionalOptions()
    .helpCommand(false)
    .description('Most commands call the running server.')
    .option('--version', 'print version and commit of the program')
    .on('option:version', () => {
      console.log(`${readVersion()} (${readCommit()})`);
      throw new CommanderError(0, 'commander.version', '');
    })
    .addHelpText('after', '\n./waitlist help <command> explains one, as --help does.')
    .configureHelp({
      helpWidth: process.stdout.columns ?? 100,
      subcommandTerm: termOf,
      subcommandDescription: summaryOf,
    })
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
    });
  explainErrors(program);
  for (const definition of definitions) {
    program.commandsGroup(definition.group);
    addCommand(program, definition, readSettings);
  }
  return program;
}

/** Runs a command, or explains it: `help` before it is `--help` behind it. */
export async function run(program: Command, args: readonly string[]): Promise<void> {
  const [first, ...others] = args;
  await program.parseAsync(first === 'help' ? [...others, '--help'] : args, { from: 'user' });
}

/** A command of a group with its words. */
function termOf(command: Command): string {
  const words = command.usage().replace(/\[(options|command)\] ?/g, '');
  return command.parent?.parent ? `${command.name()} ${words}`.trim() : command.name();
}

function summaryOf(command: Command): string {
  const inner = command.commands.map((one) => one.name());
  const few = `${inner.slice(0, 5).join(', ')}${inner.length > 5 ? ', ...' : '.'}`;
  return inner.length > 0 ? `${command.description()} With ${few}` : command.description();
}

function addCommand(
  program: Command,
  { path, about, words, options, run }: Definition,
  readSettings: () => Config,
): void {
  const [name = '', inner] = path.split(' ');
  const parent = inner && program.commands.find((one) => one.name() === name);
  const command = (parent || program).command(inner ?? name);
  command.description(about).helpCommand(false);
  explainErrors(command);
  for (const word of words) command.addArgument(argumentOf(word));
  for (const option of options) command.addOption(optionOf(option));
  if (run === undefined) return;
  command.allowExcessArguments().action(async () => {
    const others = command.commands.map((one) => one.name()).join(', ');
    const [unknown] = command.args.slice(words.length);
    if (unknown !== undefined)
      command.error(
        others === ''
          ? `too many arguments, from "${unknown}"`
          : `${command.name()} has no command "${unknown}". It has ${others}.`,
      );
    const given = words.map((word, index) => [word.name, command.processedArgs[index]] as const);
    const values: Values = { ...command.opts(), ...Object.fromEntries(given) };
    await run({ config: readSettings(), values }).catch((error: unknown) => {
      throw error instanceof InvalidArgumentError ? command.error(error.message) : error;
    });
  });
}

function explainErrors(command: Command): void {
  command.configureOutput({
    outputError: (text) => {
      const sentence = text
        .replace(/^error: /, '')
        .replaceAll('\n', ' ')
        .trim();
      const usage = command.createHelp().commandUsage(command);
      const advice = sentence.endsWith('?)') ? '' : `. Usage: ${usage}`;
      console.error(
        sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/\.$/, '') + advice,
      );
    },
  });
}

function argumentOf(field: Field): Argument {
  const argument = new Argument(field.isOptional ? `[${field.label}]` : `<${field.label}>`);
  return limit(argument, field);
}

function optionOf(field: Field): Option {
  const flag = `--${field.option ?? field.name.replaceAll('_', '-')}`;
  const option = new Option(field.isFlag ? flag : `${flag} <${field.label}>`);
  option.attributeName = () => field.name;
  if (field.usual) option.default(field.usual.value, field.usual.about);
  return limit(option.makeOptionMandatory(field.isOptional === false && !field.isFlag), field);
}

function limit<Part extends Argument | Option>(part: Part, field: Field): Part {
  part.description = field.about ?? '';
  if (field.choices) part.choices(field.choices);
  if (!field.isFlag) part.argParser((text: string) => readValue(field, text));
  return part;
}

/** Throws InvalidArgumentError. */
export function readValue({ choices, isList, parse }: Form, text: string): unknown {
  if (text.trim() === '' || text.startsWith('--')) return refuse('It needs a value.');
  if (isList && choices && text === 'all') return choices;
  const readOne = (one: string) => {
    if (!choices || choices.includes(one)) return parse ? parse(one) : one;
    return refuse(`Allowed choices are ${choices.join(', ')}.`);
  };
  return isList ? text.split(',').map(readOne) : readOne(text);
}

export function refuse(sentence: string): never {
  throw new InvalidArgumentError(sentence);
}
