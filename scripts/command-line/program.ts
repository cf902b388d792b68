import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../../server/config.ts';
import { readCommit, readVersion } from '../../server/version.ts';

/** A word or an option of a command. */
export type Field = {
  readonly name: string;
  /** Left out: the name in kebab-case. */
  readonly option?: string;
  readonly about?: string;
  /** What stands for the value, by default the name. */
  readonly label?: string;
  readonly isFlag?: boolean;
  readonly isOptional?: boolean;
  readonly choices?: readonly string[];
  /** Throws InvalidArgumentError. */
  readonly parse?: (text: string) => unknown;
  /** The object that it is a part of. */
  readonly within?: string;
  /** Makes of what was typed what the API takes, where only the server knows it. */
  readonly find?: (text: string, config: Config) => Promise<unknown>;
};

/** What was given for the fields, by their names. */
export type Values = {
  readonly [name: string]: unknown;
  readonly audit_head?: string;
  readonly file?: string;
  readonly json?: true;
  readonly map?: string;
  readonly note?: string;
  readonly output?: string;
  readonly preview?: true;
  readonly reason?: string;
};

export type Call = { readonly config: Config; readonly values: Values };

export type Definition = {
  readonly about?: string;
  readonly words?: readonly Field[];
  readonly options?: readonly Field[];
  readonly commands?: Definitions;
  readonly run?: (call: Call) => Promise<void>;
};

export type Definitions = Readonly<Record<string, Definition>>;

/** Its errors are printed as one sentence, and thrown as CommanderError. */
export function createProgram(
  groups: Readonly<Record<string, Definitions>>,
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
    })
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
    });
  explainErrors(program);
  for (const [title, definitions] of Object.entries(groups)) {
    program.commandsGroup(title);
    addCommands(program, definitions, readSettings);
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

function addCommands(parent: Command, definitions: Definitions, readSettings: () => Config): void {
  for (const [name, definition] of Object.entries(definitions)) {
    const { about = '', words = [], options = [], commands = {}, run } = definition;
    const command = parent.command(name).description(about).helpCommand(false);
    explainErrors(command);
    for (const word of words) {
      const label = word.label ?? word.name;
      command.addArgument(limit(new Argument(word.isOptional ? `[${label}]` : `<${label}>`), word));
    }
    for (const field of options) command.addOption(limit(optionOf(field), field));
    addCommands(command, commands, readSettings);
    const inner = command.commands.map((one) => one.name());
    const few = `${inner.slice(0, 5).join(', ')}${inner.length > 5 ? ', ...' : '.'}`;
    if (inner.length > 0) command.summary(`${about} With ${few}`);
    if (run === undefined) continue;
    command.allowExcessArguments(inner.length > 0).action(async () => {
      const [unknown] = command.args.slice(words.length);
      if (unknown !== undefined)
        command.error(`${name} has no command "${unknown}". It has ${inner.join(', ')}.`);
      const given = words.map((word, index) => [word.name, command.processedArgs[index]] as const);
      const values: Values = { ...command.opts(), ...Object.fromEntries(given) };
      await run({ config: readSettings(), values }).catch((error: unknown) => {
        throw error instanceof InvalidArgumentError ? command.error(error.message) : error;
      });
    });
  }
}

function optionOf({ name, label = name, isFlag, isOptional, ...field }: Field): Option {
  const flag = `--${field.option ?? name.replaceAll('_', '-')}`;
  const option = new Option(isFlag ? flag : `${flag} <${label}>`);
  option.attributeName = () => name;
  return option.makeOptionMandatory(isOptional === false);
}

function explainErrors(command: Command): void {
  command.configureOutput({
    outputError: (text) => {
      const sentence = text
        .replace(/^error: /, '')
        .trim()
        .replaceAll('\n', ' ');
      const usage = command.createHelp().commandUsage(command);
      const advice = sentence.endsWith('?)') ? '' : `. Usage: ${usage}`;
      console.error(
        sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/\.$/, '') + advice,
      );
    },
  });
}

function limit<Part extends Argument | Option>(part: Part, field: Field): Part {
  const { about = '', choices, parse = (text: string) => text } = field;
  part.description = about;
  if (choices) part.choices(choices);
  if (!field.isFlag && (!choices || field.parse))
    part.argParser((text: string) => {
      if (text.trim() !== '' && !text.startsWith('--')) return parse(text);
      throw new InvalidArgumentError('It needs a value.');
    });
  return part;
}
