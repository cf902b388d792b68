import { expect, test } from 'vitest';
import { COUNTRIES, countryName, findCountry } from '../contract/countries.ts';
import { addressOf, readAddress } from './postal-address-rules.ts';

const GERMAN = {
  name: '  Ada\u00a0 Lovelace\n',
  address_1: 'Ockham Road 1',
  postcode: '10115',
  town: 'Berlin',
  country: 'DE',
};
const read = (more: Record<string, string> = {}) =>
  readAddress(new URLSearchParams({ ...GERMAN, ...more }));

test('an address has one space between words, and a number that no spreadsheet runs', () => {
  expect(read({ phone: '+49 (0)170/123-456' })).toEqual({
    ...GERMAN,
    name: 'Ada Lovelace',
    address_2: '',
    region: '',
    phone: '+49 170 123 456',
  });
});

test.each<[Record<string, string>, string]>([
  [{ country: 'Germany' }, 'needs a country of the list'],
  [{ country: 'XX' }, 'needs a country of the list'],
  [{ postcode: '' }, 'in Germany needs a postcode'],
  [{ town: '' }, 'in Germany needs a town'],
  [{ name: ' ' }, 'needs a name'],
  [{ address_1: 'x'.repeat(101) }, 'needs a street, of 100 characters at most'],
  [{ country: 'US' }, 'in United States needs a state or region'],
  [{ phone: 'call me' }, 'write a telephone number in digits'],
])('an address with %j is refused by a sentence', (wrong, sentence) => {
  expect(() => read(wrong)).toThrow(sentence);
});

test.each<Record<string, string>>([
  { country: 'IE', postcode: '' },
  { country: 'SG', town: '' },
  { country: 'US', region: 'CA' },
])('an address needs only what its country does: %j', (more) => {
  expect(read(more)).toMatchObject(more);
});

test('a till may lack a street or a country, and then says no address', () => {
  expect(addressOf({ ...GERMAN, region: null })).toMatchObject({
    name: 'Ada Lovelace',
    region: '',
  });
  expect(addressOf({ ...GERMAN, address_1: undefined })).toBeNull();
  expect(addressOf({ ...GERMAN, country: 'ZZ' })).toBeNull();
});

test.each(['XK', 'AC', 'TA'])('an address in %s, where Stripe sends, is kept', (country) => {
  expect(addressOf({ ...GERMAN, country })).toMatchObject({ country });
});

test('a country is found by its code or its name, as members wrote it before', () => {
  expect(COUNTRIES).toHaveLength(252);
  for (const code of COUNTRIES) expect(findCountry(countryName(code))).toBe(code);
  expect([' germany ', 'de', 'Narnia'].map(findCountry)).toEqual(['DE', 'DE', null]);
});
