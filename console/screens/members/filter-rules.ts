import { brand } from '../../../brand/brand.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { MemberCount, MemberSort, Order } from '../../../contract/operator/member-list.ts';
import { labelsOf, type States } from '../../parts/state-pills.tsx';
import { formatAmount, formatDay } from '../../ui/formats.ts';
import { readSort } from '../../ui/table.tsx';

export type MemberQuestion = {
  readonly filter: MemberFilter;
  readonly sort: MemberSort;
  readonly order: Order;
};

type Get = (name: string) => string;
type Credit = NonNullable<MemberFilter['credit']>;
type Mail = NonNullable<MemberFilter['mail']>;

export const CREDITS: States<Credit> = {
  none: ['No referrer', 'plain'],
  pending: ['Pending', 'edge'],
  held: ['Held', 'edge'],
  given: ['Given', 'charged'],
  refused: ['Refused', 'ember'],
};

export const MAIL_LABELS: Readonly<Record<Mail, string>> = {
  sending: 'On',
  stopped: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Complained',
};

export const CONFIRMED_LABELS = { yes: 'Confirmed', no: 'Not confirmed' };

const TIERS = brand.tiers.map(({ reward }, index) => ({
  value: String(index + 1),
  label: `Tier ${index + 1}: ${reward}`,
}));

export const FILTER_FORM = {
  positions: {
    label: 'Positions',
    hint: '1-50, first 50, or 51- for all behind',
    maxLength: 40,
    isFirst: true,
  },
  tier: {
    label: 'Tier',
    kind: 'select',
    options: [{ value: '', label: 'Any tier' }, { value: '0', label: 'No tier yet' }, ...TIERS],
  },
  credit: {
    label: 'Credit for their referrer',
    kind: 'select',
    options: { '': 'Any credit', ...labelsOf(CREDITS) },
  },
  mail: { label: 'Mail', kind: 'select', options: { '': 'Any mail state', ...MAIL_LABELS } },
  confirmed: {
    label: 'Address',
    kind: 'select',
    options: { '': 'Confirmed or not', ...CONFIRMED_LABELS },
  },
  source: {
    label: 'Source',
    hint: 'A utm_source, campaign or host; (none): not known',
    maxLength: 64,
  },
  from: { label: 'Joined from', kind: 'moment', isShort: true },
  to: { label: 'Joined before', kind: 'moment', isShort: true },
} as const;

export type FilterField = keyof typeof FILTER_FORM;
export type FilterValues = Readonly<Record<FilterField, string>>;
export type SearchValues = Readonly<Record<FilterField | 'q', string>>;
export const FILTER_FIELDS = Object.keys(FILTER_FORM) as FilterField[];

export function readValues(get: Get): FilterValues {
  return Object.fromEntries(FILTER_FIELDS.map((name) => [name, get(name)])) as FilterValues;
}

export function readFilter(get: Get): MemberFilter {
  const { positions, tier, source, credit, from, to, confirmed, mail } = readValues(get);
  const text = get('q').trim();
  return {
    ...(text !== '' && { text: text.slice(0, 200) }),
    ...(positions.trim() !== '' && { positions: positions.trim().slice(0, 40) }),
    ...(/^\d{1,3}$/.test(tier) && { tier: Number(tier) }),
    ...(source.trim() !== '' && { source: source.trim().slice(0, 64) }),
    ...(Object.hasOwn(CREDITS, credit) && { credit: credit as Credit }),
    ...(isMoment(from) && { joined_from: from }),
    ...(isMoment(to) && { joined_to: to }),
    ...(Object.hasOwn(CONFIRMED_LABELS, confirmed) && { confirmed: confirmed === 'yes' }),
    ...(Object.hasOwn(MAIL_LABELS, mail) && { mail: mail as Mail }),
  };
}

export const sortOptions: Readonly<Record<string, string>> = {
  position: 'First in line',
  '-position': 'Last in line',
  '-joined': 'Newest',
  joined: 'Oldest',
  '-referrals': 'Most friends',
  referrals: 'Fewest friends',
};

export function readMemberSort(text: string) {
  const { by, isDescending } = readSort(Object.hasOwn(sortOptions, text) ? text : 'position');
  return { by: by as MemberSort, isDescending };
}

export function readQuestion(get: Get): MemberQuestion {
  const { by, isDescending } = readMemberSort(get('sort'));
  return { filter: readFilter(get), sort: by, order: isDescending ? 'desc' : 'asc' };
}

export function writeFilter(filter: MemberFilter): SearchValues {
  const { text, positions, tier, source, credit, joined_from, joined_to, confirmed, mail } = filter;
  return {
    q: text ?? '',
    positions: positions ?? '',
    tier: tier === undefined ? '' : String(tier),
    source: source ?? '',
    credit: credit ?? '',
    from: joined_from ?? '',
    to: joined_to ?? '',
    confirmed: confirmed === undefined ? '' : confirmed ? 'yes' : 'no',
    mail: mail ?? '',
  };
}

export function describeFilter(filter: MemberFilter): { field: FilterField; label: string }[] {
  const { positions, tier, source, credit, joined_from, joined_to, confirmed, mail } = filter;
  const labels: Readonly<Record<FilterField, string | undefined>> = {
    positions: positions && `Positions: ${positions}`,
    tier: tier === undefined ? undefined : tier === 0 ? 'No tier' : `Tier ${tier}`,
    source: source && `Source: ${source}`,
    credit: credit && `Credit: ${CREDITS[credit][0].toLowerCase()}`,
    from: joined_from && `Joined from ${formatDay(joined_from)}`,
    to: joined_to && `Joined before ${formatDay(joined_to)}`,
    confirmed: confirmed === undefined ? undefined : CONFIRMED_LABELS[confirmed ? 'yes' : 'no'],
    mail: mail && `Mail: ${MAIL_LABELS[mail].toLowerCase()}`,
  };
  return FILTER_FIELDS.flatMap((field) => {
    const label = labels[field];
    return label === undefined ? [] : [{ field, label }];
  });
}

export function describeCount({ count, is_exact }: MemberCount): string {
  return `${is_exact ? '' : 'More than '}${formatAmount(count, 'member')}`;
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}
