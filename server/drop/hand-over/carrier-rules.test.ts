import { expect, test } from 'vitest';
import { ADDRESS } from '../../../test/support/sample-address.ts';
import { CARRIER_COLUMNS, carrierCells, carrierProblem } from './carrier-rules.ts';

/**
 * "Order Import spreadsheet field specifications" of Royal Mail Click & Drop, read on 2026-11-28:
 * help.parcel.royalmail.com/hc/en-gb/articles/360000250093. Country is a name or a code of three
 * letters; a CSV may have no numeric string above 11 characters.
 */
const SPECIFICATION: Readonly<Record<(typeof CARRIER_COLUMNS)[number], RegExp>> = {
  'Order reference': /^.{0,40}$/u,
  'Full name': /^[ -~]{1,200}$/,
  'Address line 1': /^.{1,100}$/u,
  'Address line 2': /^.{0,100}$/u,
  City: /^.{1,100}$/u,
  County: /^.{0,100}$/u,
  Postcode: /^.{1,20}$/u,
  Country: /^[A-Z]{3}$/,
  Email: /^$|^.*@.*\..*$/,
  Phone: /^\d{0,11}$/,
};
const OWN = { name: 'Zoë Łukasiewicz-Groß', phone: '+49 170 123 456 78' };
const parcelWith = (more: Partial<typeof ADDRESS> = {}, code = '7KQF-2M9X-HTWB-4RZD') => ({
  code,
  email: 'ada@example.com',
  went_back: false,
  address: { ...ADDRESS, ...OWN, ...more },
});

test.each([
  {},
  { country: 'GB', phone: '+44 7700 900123', region: 'Greater London' },
  { country: 'Germany' },
  { country: 'SG', town: '', region: '' },
  { name: '=Ada O’Neill', address_1: '@home 1', phone: '' },
  { address_1: 'x'.repeat(100), town: 'y'.repeat(100) },
])('a row with %j is as Click & Drop specifies it', (more) => {
  const cells = carrierCells(parcelWith(more)) ?? [];
  expect(cells).toHaveLength(CARRIER_COLUMNS.length);
  for (const [index, column] of CARRIER_COLUMNS.entries())
    expect(`${cells[index]}`, column).toMatch(SPECIFICATION[column]);
  expect(cells.filter((cell) => /^[=+\-@']/.test(cell))).toEqual([]);
});

test('names lose their accents, and a British number its prefix', () => {
  expect(carrierCells(parcelWith())?.slice(0, 3)).toEqual([
    '7KQF-2M9X-HTWB-4RZD',
    'Zoe Lukasiewicz-Gross',
    'Ockham Road 1',
  ]);
  expect(carrierCells(parcelWith())?.at(-1)).toBe('');
  const british = parcelWith({ country: 'GB', phone: '+44 7700 900123' });
  expect(carrierCells(british)?.slice(-3)).toEqual(['GBR', 'ada@example.com', '07700900123']);
});

test.each<[string, Parameters<typeof carrierProblem>[0]]>([
  ['its money went back', { ...parcelWith(), went_back: true }],
  ['paid, no address', { ...parcelWith(), address: null }],
  ['a name in Roman letters', parcelWith({ name: '山田 太郎' })],
  ['does not know this country', parcelWith({ country: 'Narnia' })],
  ['a postcode of 20', parcelWith({ country: 'AE', postcode: '' })],
  ['references of 40', parcelWith({}, 'X'.repeat(41))],
])('what the import would refuse stays out of it: %s', (problem, parcel) => {
  expect(carrierProblem(parcel)).toContain(problem);
  expect(carrierCells(parcel)).toBeNull();
});
