import { expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import {
  describeFilter,
  FILTER_FORM,
  readFilter,
  readMemberSort,
  readQuestion,
  writeFilter,
} from './filter-rules.ts';

const ask = (query: string) => {
  const params = new URLSearchParams(query);
  return readQuestion((name) => params.get(name) ?? '');
};

test('the URL is a filter and an order', () => {
  expect(ask('')).toEqual({ filter: {}, sort: 'position', order: 'asc' });
  const from = '2026-05-01T00:00:00.000Z';
  const query = new URLSearchParams({
    q: ' ada ',
    positions: '1-100',
    tier: '0',
    source: 'Instagram',
    credit: 'held',
    from,
    confirmed: 'no',
    mail: 'bounced',
    sort: '-referrals',
  });
  expect(ask(query.toString())).toEqual({
    filter: {
      text: 'ada',
      positions: '1-100',
      tier: 0,
      source: 'Instagram',
      credit: 'held',
      joined_from: from,
      confirmed: false,
      mail: 'bounced',
    },
    sort: 'referrals',
    order: 'desc',
  });
});

test('impossible values in a URL are left out', () => {
  expect(ask('q=%20&tier=gold&credit=toString&from=soon&confirmed=maybe&mail=&sort=email')).toEqual(
    {
      filter: {},
      sort: 'position',
      order: 'asc',
    },
  );
});

test('sorts have two directions', () => {
  expect(readMemberSort('-joined')).toEqual({ by: 'joined', isDescending: true });
  expect(readMemberSort('joined')).toEqual({ by: 'joined', isDescending: false });
});

test('a filter is described in words', () => {
  const { filter } = ask(
    'positions=first+100&tier=2&source=(none)&credit=none&to=2026-05-02T12:00:00.000Z',
  );
  expect(describeFilter(filter)).toEqual([
    { field: 'positions', label: 'Positions: first 100' },
    { field: 'tier', label: 'Tier 2' },
    { field: 'credit', label: 'Credit: no referrer' },
    { field: 'source', label: 'Source: (none)' },
    { field: 'to', label: 'Joined before 2 May 2026' },
  ]);
  expect(describeFilter({ tier: 0, confirmed: false })).toEqual([
    { field: 'tier', label: 'No tier' },
    { field: 'confirmed', label: 'Not confirmed' },
  ]);
});

test('a filter goes into fields and comes back whole', () => {
  const filter = {
    text: 'ada',
    positions: '101-',
    tier: 0,
    source: '(none)',
    credit: 'none',
    joined_from: '2026-05-01',
    joined_to: '2026-05-02T12:00:00+02:00',
    confirmed: false,
    mail: 'sending',
  } as const;
  const values = writeFilter(filter);
  expect(readFilter((name) => values[name as keyof typeof values])).toEqual(filter);
  const none = writeFilter({});
  expect(readFilter((name) => none[name as keyof typeof none])).toEqual({});
});

test('tiers are named by their level and reward', () => {
  expect(FILTER_FORM.tier.options).toEqual([
    { value: '', label: 'Any tier' },
    { value: '0', label: 'No tier yet' },
    ...brand.tiers.map(({ reward }, index) => ({
      value: `${index + 1}`,
      label: `Tier ${index + 1}: ${reward}`,
    })),
  ]);
});
