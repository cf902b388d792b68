import { MemberFilter } from '../../contract/operator/member-filter.ts';
import { ExportMembersRequest, MemberListRequest } from '../../contract/operator/member-list.ts';
import { RewardListRequest } from '../../contract/operator/rewards/rewards.ts';
import { choicesOf, type Option, optionsOf } from './values.ts';

const { sort, order } = optionsOf(MemberListRequest);
const { format } = optionsOf(ExportMembersRequest);
const { state } = optionsOf(RewardListRequest);
const filter = optionsOf(MemberFilter);

export const OPTIONS = {
  json: 'print JSON, for programs',
  yes: 'do not ask for confirmation',
  format,
  output: ['<file>', 'a new file that only you can read'],
  after: ['<entry>', 'show the page after this entry, which the page before names'],
  reason: ['"<text>"', 'why, for the audit log'],
  preview: 'say what would change, and change nothing',
  'audit-head': ['<number>:<hash>', 'a head of the audit log that you kept, and that it must have'],
  ...filter,
  sort,
  order,
  code: ['<code>', 'only friends of this referral code'],
  first: ['<number>', 'how many of the first in line; 150 by default'],
  subject: ['"<text>"', 'the subject of the mail'],
  to: ['<address>', 'who gets the test mail'],
  'dry-run': 'report what an import would do, and change nothing',
  map: ['<field>=<column>,...', 'which column is email, referral_code, referrer, row_id, ...'],
  'import-order': ['file|joined_at', 'the order of the import; that of the file by default'],
  dates: ['day_first|month_first', 'how 1/2/2026 reads'],
  'may-mail': 'state that you may write to these people',
  welcome: 'mail each imported member their status link',
  pause: ['"<message>"', 'pause joining, with this message'],
  'holders-enter': 'let members in who hold a mask of an earlier drop',
  'losses-count': 'give one more ticket in the draw for each lost drop',
  domains: ['<domain>,...', 'mail domains of which all take part, and not two'],
  cards: ['<hours>', 'entrants enter by a card that holds the price, for so long; 24 to 96'],
  'no-prepaid': 'let no prepaid card enter',
  masks: ['<size>=<number>,...', 'how many masks of each size are given; by default all available'],
  at: ['<time>', 'draw by the round of the beacon at this time'],
  seed: 'draw by a seed of this server instead of a public beacon',
  signature: ['<hex>', 'the signature of the announced round; without it, the server asks relays'],
  quiet: ['<from>-<until>', 'offer no masks between these times: 22:00-08:00'],
  pay: ['<hours>', 'how long an accepted pass can be paid; 24 by default'],
  'time-zone': ['<zone>', 'such as Europe/Berlin; that of this machine by default'],
  when: ['<time>', 'let the server take the step then: 2026-05-01T18:00+02:00'],
  drop: ['<number>', 'the number of the drop; the last by default'],
  item: ['"<text>"', 'text in the name or SKU of masks in orders'],
  'free-cancelled': 'cancel the passes of cancelled orders',
  size: ['<size>', 'the size that the codes are for; any by default'],
  state,
  note: ['"<text>"', 'for whom, or why'],
  'this-is-the-line': 'let it act at once, in place of a server that never runs again',
  keep: ['<number>', 'keep only this many of the backups that were named after their time'],
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof OPTIONS;

export type Options = { readonly [Name in OptionName]?: string };

export const FILTER_OPTIONS = Object.keys(filter) as (keyof typeof filter)[];

/** Undefined for a name that is no option; without a value, the option is a flag. */
export function readOption(name: string) {
  if (!Object.hasOwn(OPTIONS, name)) return undefined;
  const option: Option = OPTIONS[name as OptionName];
  const [value, about, choices] = typeof option === 'string' ? [null, option] : option;
  return { value, about, choices: choices ?? choicesOf(value ?? '<none>') };
}
