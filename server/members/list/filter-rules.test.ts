import { expect, test } from 'vitest';
import { readFilter } from './filter-rules.ts';

const tiers = [
  { requiredReferrals: 3, reward: 'a', kind: 'plain' as const },
  { requiredReferrals: 10, reward: 'b', kind: 'plain' as const },
];
const read = (filter: Parameters<typeof readFilter>[0]) => readFilter(filter, tiers);

test('a tier is a range of referrals that ends before the next', () => {
  expect(read({ tier: 0 }).referrals).toEqual({ least: 0, most: 2 });
  expect(read({ tier: 1 }).referrals).toEqual({ least: 3, most: 9 });
  expect(read({ tier: 2 }).referrals).toEqual({ least: 10, most: null });
  expect(() => read({ tier: 3 })).toThrow('There is no tier 3: the last is 2.');
});

test.each([
  ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01T18:00Z', '2026-05-01T18:00:00.000Z'],
  ['2026-05-01T18:00:30.5+02:00', '2026-05-01T16:00:30.500Z'],
])('%s is a moment', (text, moment) => {
  expect(read({ joined_from: text }).joinedFrom?.toISOString()).toBe(moment);
});

test.each([
  ...['yesterday', '2026-05-01T18:00', '2026-13-01', '2026-05-01T25:00Z', '1777658400000'],
  // The calendar has no such days, and the database no such years.
  ...['2026-02-30', '2027-02-29', '2027-04-31T10:00Z', '2026-00-10', '2026-05-00'],
  ...['0000-01-01', '0001-01-01T00:00+14:00', '9999-12-31T23:59-14:00'],
])('%j is refused as a moment', (text) => {
  expect(() => read({ joined_to: text })).toThrow('"joined_to"');
});

test.each([
  [' #128 ', { least: 128, most: 128 }],
  ['#1-100', { least: 1, most: 100 }],
  ['# 1,001 – #2,000', { least: 1001, most: 2000 }],
  ['#101-', { least: 101, most: Infinity }],
  ['first 100', { least: 1, most: 100 }],
  ['Top 100', { least: 1, most: 100 }],
])('the text %j is about positions', (text, positions) => {
  expect(read({ text })).toMatchObject({ text: null, positions });
});

test.each([
  ['1-100', { least: 1, most: 100 }],
  ['first 100', { least: 1, most: 100 }],
  ['128', { least: 128, most: 128 }],
  ['101-', { least: 101, most: Infinity }],
])('the positions %j are a range', (positions, range) => {
  expect(read({ positions }).positions).toEqual(range);
});

test('positions of text and field are both kept to, and wrong ones are refused', () => {
  expect(read({ text: '#50-', positions: 'first 100' }).positions).toEqual({
    least: 50,
    most: 100,
  });
  expect(() => read({ positions: 'everybody' })).toThrow('"positions"');
  expect(() => read({ positions: '100-1' })).toThrow('1-100');
  expect(() => read({ text: '#100-1' })).toThrow('1-100');
});

test('a text is anything that it may mean', () => {
  expect(read({ text: '#1st' })).toMatchObject({ text: { parts: ['#1st'] }, positions: null });
  expect(read({ text: 'topaz' }).positions).toBeNull();
  expect(read({ text: '128' }).text).toMatchObject({ parts: ['128'] });
  expect(read({ text: 'abcdefghij' }).text).toEqual({
    id: null,
    code: 'ABCDEFGH1J',
    parts: ['abcdefghij'],
  });
  expect(read({ text: '018F2B5E-0000-7000-8000-000000000000' }).text).toMatchObject({
    id: '018f2b5e-0000-7000-8000-000000000000',
  });
});

test('parts are spelled as identities are', () => {
  const partsOf = (text: string) => read({ text }).text;
  expect(partsOf('Ada@Bücher.Example')).toMatchObject({ parts: ['ada@xn--bcher-kva.example'] });
  expect(partsOf('BÜCHER')).toMatchObject({ parts: ['bücher', 'xn--bcher-kva'] });
  expect(partsOf('1.2')).toMatchObject({ parts: ['1.2'] });
});
