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

/** What a text of the form or the URL means in a filter, and how it is described. */
type FilterPart = {
  readonly key: keyof MemberFilter;
  readonly read: (text: string) => MemberFilter[keyof MemberFilter];
  readonly describe: (text: string) => string;
};

const cutAt = (length: number) => (text: string) => text.slice(0, length) || undefined;
const oneOf = (values: readonly string[]) => (text: string) =>
  values.includes(text) ? text : undefined;
const readMoment = (text: string) =>
  /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

const PARTS: Readonly<Record<FilterField | 'q', FilterPart>> = {
  q: { key: 'text', read: cutAt(200), describe: (text) => `Search: ${text}` },
  positions: { key: 'positions', read: cutAt(40), describe: (text) => `Positions: ${text}` },
  tier: {
    key: 'tier',
    read: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined),
    describe: (tier) => (tier === '0' ? 'No tier' : `Tier ${tier}`),
  },
  ...valueParts(),
  mail: {
    key: 'mail',
    read: oneOf(Object.keys(MAIL_LABELS)),
    describe: (state) => `Mail: ${MAIL_LABELS[state as Mail].toLowerCase()}`,
  },
  confirmed: {
    key: 'confirmed',
    read: (text) => (Object.hasOwn(CONFIRMED_LABELS, text) ? text === 'yes' : undefined),
    describe: (text) => CONFIRMED_LABELS[text === 'yes' ? 'yes' : 'no'],
  },
  source: { key: 'source', read: cutAt(64), describe: (source) => `Source: ${source}` },
  from: { key: 'joined_from', read: readMoment, describe: (at) => `Joined from ${formatDay(at)}` },
  to: { key: 'joined_to', read: readMoment, describe: (at) => `Joined before ${formatDay(at)}` },
};

function valueParts() {
  const parts = FILTERED_FIELDS.map((key): [FilteredField, FilterPart] => {
    const { form, label, head = label } = memberField(key);
    const read = typeof form === 'string' ? cutAt(64) : oneOf(form);
    const wordsOf = (value: string) => LABELS[key]?.[value]?.toLowerCase() ?? value;
    return [key, { key, read, describe: (value) => `${head}: ${wordsOf(value)}` }];
  });
  return Object.fromEntries(parts) as Record<FilteredField, FilterPart>;
}

const FILTER_PARTS = Object.entries(PARTS) as [FilterField | 'q', FilterPart][];

export function readFilter(get: Get): MemberFilter {
  const values = FILTER_PARTS.map(([name, { key, read }]) => [key, read(get(name).trim())]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

export function writeFilter(filter: MemberFilter): SearchValues {
  const write = (value: MemberFilter[keyof MemberFilter] = '') =>
    typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  const values = FILTER_PARTS.map(([name, { key }]) => [name, write(filter[key])]);
  return Object.fromEntries(values) as SearchValues;
}

export function describeFilter(filter: MemberFilter) {
  const texts = writeFilter(filter);
  const given = FILTER_PARTS.filter(([name]) => texts[name] !== '');
  return given.map(([field, { describe }]) => ({ field, label: describe(texts[field]) }));
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

export function describeCount({ count, is_exact }: MemberCount): string {
  return `${is_exact ? '' : 'More than '}${formatAmount(count, 'member')}`;
}
