/** What a command of `./waitlist` is, and the options that commands share. */
import type { Config } from '../../server/config.ts';

type Option = {
  readonly type: 'boolean' | 'string';
  /** What stands for its value in the help. */
  readonly value?: string;
  /** The only values there are, for shell completion. */
  readonly values?: readonly string[];
  readonly about: string;
};

export const OPTIONS = {
  json: { type: 'boolean', about: 'print JSON, for programs' },
  yes: { type: 'boolean', about: 'do not ask for confirmation' },
  format: {
    type: 'string',
    value: 'csv|json',
    values: ['csv', 'json'],
    about: 'format of the export; csv by default',
  },
  output: { type: 'string', value: '<file>', about: 'a new file that only you can read' },
  after: {
    type: 'string',
    value: '<entry>',
    about: 'show the page after this entry, which the page before names',
  },
  reason: { type: 'string', value: '"<text>"', about: 'why, for the audit log' },
  preview: { type: 'boolean', about: 'say what would change, and change nothing' },
  'audit-head': {
    type: 'string',
    value: '<number>:<hash>',
    about: 'a head of the audit log that you kept: the log must still have it',
  },
  note: { type: 'string', value: '"<text>"', about: 'for whom, or why' },
  keep: {
    type: 'string',
    value: '<number>',
    about: 'keep only this many of the backups that were named after their time',
  },
} as const satisfies Readonly<Record<string, Option>>;

type OptionName = keyof typeof OPTIONS;

export type Options = {
  readonly [Name in OptionName]?:
    | ((typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined;
};

type Run = (config: Config, words: readonly string[], options: Options) => Promise<void>;

export type Command = {
  /** Its arguments and options, for the help. */
  readonly usage: string;
  readonly about: string;
  /** How many arguments it takes. */
  readonly words: number;
  /** How many more it may take. */
  readonly optionalWords?: number;
  /** What its arguments are, for shell completion. */
  readonly completes?: readonly ('size' | 'shell' | 'list')[];
  readonly options: readonly OptionName[];
  readonly run: Run;
};

export type Commands = Readonly<Record<string, Command>>;

/** Wrong arguments, as opposed to a refusal by the server. */
export class UsageError extends Error {}

export function findCommand(commands: Commands, name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

export function readOption(name: string): Option | undefined {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
}
