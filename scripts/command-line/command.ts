/** What a command of `./waitlist` is, and the options that commands share. */
import { DOUBT_RULES } from '../../contract/doubts.ts';
import { CREDIT_STATES, MAIL_STATES } from '../../contract/operator/member-filter.ts';
import { MEMBER_SORTS, ORDERS } from '../../contract/operator/member-list.ts';
import { EXPORT_FORMATS } from '../../contract/operator/members.ts';
import { REWARD_STATES } from '../../contract/operator/rewards/reward-changes.ts';
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
    value: 'csv|json|jsonl',
    values: EXPORT_FORMATS,
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
  text: {
    type: 'string',
    value: '"<text>"',
    about: 'part of an address, a referral code, an id, or a position such as "#128"',
  },
  tier: { type: 'string', value: '<level>', about: 'members of this tier; 0 is none' },
  source: {
    type: 'string',
    value: '"<value>"',
    about: 'a value of their source, such as a utm_source or a host; "(none)": not known',
  },
  credit: {
    type: 'string',
    value: '<state>',
    values: CREDIT_STATES,
    about: 'state of the credit that their referrer gets: none, pending, held, given, refused',
  },
  rule: {
    type: 'string',
    value: '<rule>',
    values: Object.keys(DOUBT_RULES),
    about: 'held credits that this rule matched',
  },
  'second-look': { type: 'boolean', about: 'of members who asked for a second look' },
  'joined-from': {
    type: 'string',
    value: '<time>',
    about: 'joined at or after: 2026-05-01, or 2026-05-01T18:00Z',
  },
  'joined-to': { type: 'string', value: '<time>', about: 'joined before' },
  confirmed: {
    type: 'string',
    value: 'yes|no',
    values: ['yes', 'no'],
    about: 'whether the address was proved to be theirs',
  },
  mail: {
    type: 'string',
    value: '<state>',
    values: MAIL_STATES,
    about: 'whether they are mailed: sending, stopped, bounced, complained',
  },
  sort: {
    type: 'string',
    value: '<key>',
    values: MEMBER_SORTS,
    about: 'position, joined or referrals; position by default',
  },
  order: { type: 'string', value: 'asc|desc', values: ORDERS, about: 'direction of the list' },
  subject: { type: 'string', value: '"<text>"', about: 'of the mail' },
  to: { type: 'string', value: '<address>', about: 'who gets the test mail' },
  'dry-run': { type: 'boolean', about: 'report what an import would do, and change nothing' },
  map: {
    type: 'string',
    value: '<field>=<column>,...',
    about: 'which column is email, referral_code, referrer, row_id, joined_at, referral_count',
  },
  'import-order': {
    type: 'string',
    value: 'file|joined_at',
    values: ['file', 'joined_at'],
    about: 'in which order members are imported; that of the file by default',
  },
  dates: {
    type: 'string',
    value: 'day_first|month_first',
    values: ['day_first', 'month_first'],
    about: 'how 1/2/2026 reads',
  },
  'may-mail': { type: 'boolean', about: 'state that you may write to these people' },
  welcome: { type: 'boolean', about: 'mail each imported member their status link' },
  pause: { type: 'string', value: '"<message>"', about: 'pause joining, with this message' },
  masks: {
    type: 'string',
    value: '<size>=<pieces>,...',
    about: 'how many masks of each size are given; all that are available by default',
  },
  at: { type: 'string', value: '<time>', about: 'draw by the round of the beacon at this time' },
  seed: { type: 'boolean', about: 'draw by a seed of this server instead of a public beacon' },
  signature: { type: 'string', value: '<hex>', about: 'of the announced round of the beacon' },
  quiet: { type: 'string', value: '<from>-<until>', about: 'offer no masks then: 22:00-08:00' },
  'time-zone': {
    type: 'string',
    value: '<zone>',
    about: 'such as Europe/Berlin; that of this machine by default',
  },
  when: {
    type: 'string',
    value: '<time>',
    about: 'let the server take the step then: 2026-05-01T18:00+02:00',
  },
  drop: { type: 'string', value: '<number>', about: 'of this drop; of the last by default' },
  item: { type: 'string', value: '"<text>"', about: 'in the name or SKU of masks in orders' },
  'free-cancelled': { type: 'boolean', about: 'cancel the passes of cancelled orders' },
  size: { type: 'string', value: '<size>', about: 'which the codes are for; any by default' },
  relay: { type: 'string', value: '<url>', about: 'the relay of drand that is asked for it' },
  state: {
    type: 'string',
    value: '<state>',
    values: REWARD_STATES,
    about: 'rewards in this state: owed, asked, answered, sent',
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
  /**
   * What its arguments are, for shell completion: sizes, one of few words, or null for others. A
   * function gets the arguments up to the cursor.
   */
  readonly completes?: readonly (
    | 'size'
    | readonly string[]
    | ((words: readonly string[]) => readonly string[])
    | null
  )[];
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
