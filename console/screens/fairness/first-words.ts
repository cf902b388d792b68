import type { FirstMember, Sign } from '../../../contract/operator/credits/first-in-line.ts';
import { formatAmount, formatCount } from '../../ui/formats.ts';

const SENTENCES: Readonly<Record<Sign, string>> = {
  'open-mailboxes': 'Their friends are at domains where anybody can open any mailbox.',
  'one-domain': 'Friends at open mailboxes share one domain.',
  'one-network': 'Friends joined from one network.',
  'one-browser': 'Friends share a network and a browser.',
  'one-evening': 'Friends joined within three hours.',
  unconfirmed: 'Friends have not confirmed their address.',
  'near-misses': 'A rule noted friends, too weakly to hold them.',
  chain: 'The inviters above them stand at open mailboxes, one brought by the next.',
};

export const nameSign = (sign: Sign) =>
  sign === 'chain' ? 'a chain of invites' : sign.replace('-', ' ');
/** A newer server may know signs that this page lacks. */
export const explainSign = (sign: Sign) => SENTENCES[sign] ?? `A sign: ${sign}.`;

type Facts<Part extends keyof FirstMember> = Pick<FirstMember, Part>;

export function describeFriends({ friends }: Facts<'friends'>): string {
  const { joined, confirmed, counting, held, refused } = friends;
  if (joined === 0) return 'No friends';
  return [
    formatAmount(joined, 'friend'),
    `${formatCount(confirmed)} confirmed`,
    counting !== confirmed && `${formatCount(counting)} counting`,
    held > 0 && `${formatCount(held)} held`,
    refused > 0 && `${formatCount(refused)} refused`,
  ]
    .filter(Boolean)
    .join(', ');
}

export function describeMailboxes({ mailboxes, read }: Facts<'mailboxes' | 'read'>): string {
  const { costly, open, domains } = mailboxes;
  const kinds = [
    costly > 0 && formatAmount(costly, 'costly mailbox', 'costly mailboxes'),
    open > 0 && formatAmount(open, 'open mailbox', 'open mailboxes'),
  ];
  const most = domains.map(({ domain, friends }) =>
    friends === read ? domain : `${domain} ${formatCount(friends)}`,
  );
  return `${kinds.filter(Boolean).join(', ')}: ${most.join(', ')}`;
}

export function describeTraces({ traces, read }: Facts<'traces' | 'read'>): string {
  const { known, networks, largest_network: largest, browsers } = traces;
  if (known === 0) return 'Networks not known: traces are kept for 30 days';
  const most = networks > 1 && largest > 1 ? `, ${largest} from one` : '';
  const gone = known < read ? `, ${read - known} not known` : '';
  return `${formatAmount(networks, 'network')}${most}, ${formatAmount(browsers, 'browser')}${gone}`;
}

const HOURS_A_DAY = 24;

export function describeHours({ hours: { span, busiest }, read }: Facts<'hours' | 'read'>): string {
  if (read === 1) return 'One friend';
  if (busiest === read) return span < 1 ? 'All within an hour' : 'All within three hours';
  const over =
    span < 2 * HOURS_A_DAY
      ? formatAmount(Math.round(span), 'hour')
      : formatAmount(Math.round(span / HOURS_A_DAY), 'day');
  return `Over ${over}, at most ${busiest} in three hours`;
}
