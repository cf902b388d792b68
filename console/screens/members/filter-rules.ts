import { brand } from '../../../brand/brand.ts';
import {
  FILTERED_FIELDS,
  type FilteredField,
  memberField,
} from '../../../contract/member-fields.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { MemberCount, MemberSort, Order } from '../../../contract/operator/member-list.ts';
import { labelsOf, type States } from '../../parts/state-pills.tsx';
import type { FormFields } from '../../ui/form-fields.tsx';
import { formatAmount, formatDay } from '../../ui/formats.ts';
import { readSort } from '../../ui/table.tsx';

export type MemberQuestion = {
  readonly filter: MemberFilter;
  readonly sort: MemberSort;
  readonly order: Order;
};

type Get = (name: string) => string;
type Mail = NonNullable<MemberFilter['mail']>;

export const CREDITS: States<NonNullable<MemberFilter['credit']>> = {
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

const LABELS: Partial<Readonly<Record<FilteredField, Readonly<Record<string, string>>>>> = {
  credit: labelsOf(CREDITS),
};

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
  ...valueFields(),
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

function valueFields() {
  const fields = FILTERED_FIELDS.map((name) => {
    const { form, label, head = label } = memberField(name);
    if (typeof form === 'string') return [name, { label, maxLength: 64 }];
    const values = form.map((value) => [value, LABELS[name]?.[value] ?? value]);
    const options = { '': `Any ${head.toLowerCase()}`, ...Object.fromEntries(values) };
    return [name, { label, kind: 'select', options }];
  });
  return Object.fromEntries(fields) as FormFields<FilteredField>;
}

export type FilterField = keyof typeof FILTER_FORM;
export type FilterValues = Readonly<Record<FilterField, string>>;
export type SearchValues = Readonly<Record<FilterField | 'q', string>>;
export const FILTER_FIELDS = Object.keys(FILTER_FORM) as FilterField[];

export function readValues(get: Get): FilterValues {
  return Object.fromEntries(FILTER_FIELDS.map((name) => [name, get(name)])) as FilterValues;
}

export function readFilter(get: Get): MemberFilter {
  const { positions, tier, source, from, to, confirmed, mail, ...values } = readValues(get);
  const text = get('q').trim();
  return {
    ...(text !== '' && { text: text.slice(0, 200) }),
    ...(positions.trim() !== '' && { positions: positions.trim().slice(0, 40) }),
    ...(/^\d{1,3}$/.test(tier) && { tier: Number(tier) }),
    ...(source.trim() !== '' && { source: source.trim().slice(0, 64) }),
    ...readFields(values),
    ...(isMoment(from) && { joined_from: from }),
    ...(isMoment(to) && { joined_to: to }),
    ...(Object.hasOwn(CONFIRMED_LABELS, confirmed) && { confirmed: confirmed === 'yes' }),
    ...(Object.hasOwn(MAIL_LABELS, mail) && { mail: mail as Mail }),
  };
}

function readFields(values: Readonly<Record<FilteredField, string>>): MemberFilter {
  const given = FILTERED_FIELDS.map((name) => [name, values[name].trim().slice(0, 64)] as const);
  const known = given.filter(([name, value]) => {
    const { form } = memberField(name);
    return typeof form === 'string' ? value !== '' : form.includes(value);
  });
  return Object.fromEntries(known);
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
  const { text, positions, tier, source, joined_from, joined_to, confirmed, mail } = filter;
  const values = FILTERED_FIELDS.map((name) => [name, filter[name] ?? '']);
  return {
    ...(Object.fromEntries(values) as Record<FilteredField, string>),
    q: text ?? '',
    positions: positions ?? '',
    tier: tier === undefined ? '' : String(tier),
    source: source ?? '',
    from: joined_from ?? '',
    to: joined_to ?? '',
    confirmed: confirmed === undefined ? '' : confirmed ? 'yes' : 'no',
    mail: mail ?? '',
  };
}

export function describeFilter(filter: MemberFilter): { field: FilterField; label: string }[] {
  const { positions, tier, source, joined_from, joined_to, confirmed, mail } = filter;
  const values = FILTERED_FIELDS.map((name) => [name, describeValue(name, filter[name])]);
  const labels: Readonly<Record<FilterField, string | undefined>> = {
    ...(Object.fromEntries(values) as Record<FilteredField, string | undefined>),
    positions: positions && `Positions: ${positions}`,
    tier: tier === undefined ? undefined : tier === 0 ? 'No tier' : `Tier ${tier}`,
    source: source && `Source: ${source}`,
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

function describeValue(name: FilteredField, value: string | undefined): string | undefined {
  const { label, head = label } = memberField(name);
  return value && `${head}: ${LABELS[name]?.[value]?.toLowerCase() ?? value}`;
}

export function describeCount({ count, is_exact }: MemberCount): string {
  return `${is_exact ? '' : 'More than '}${formatAmount(count, 'member')}`;
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}
