import { expect, test } from 'vitest';
import { addressTraits } from './address-rules.ts';

const traits = (name: string) => addressTraits(`${name}@example.com`);

test.each(['a8f3k2j9', 'xkqzvbtw', 'qwrtplkjhg', 'k2x9vb7wq'])('%s reads like random', (name) => {
  expect(traits(name)).toMatchObject({ isRandom: true });
});

test.each([
  'anna.schmidt',
  'christoph.wagner',
  'nguyenthanh',
  'jhoffmann1991',
  'szymanska',
  '李小龙',
])('%s reads like a name', (name) => {
  expect(traits(name)).toMatchObject({ isRandom: false });
});

test('addresses that differ by a number have one stem and shape', () => {
  expect(traits('ada1')).toMatchObject({ stem: 'ada', shape: 'ad1' });
  expect(traits('ada.27')).toMatchObject({ stem: 'ada', shape: 'a.d2' });
  expect(traits('ada')).toMatchObject({ stem: '', shape: '' });
});

test('a provider has the addresses of many, and some domains can have no mail', () => {
  expect(addressTraits('ada@yahoo.co.uk')).toMatchObject({ isAtProvider: true });
  expect(addressTraits('ada@adas-shop.com')).toMatchObject({ isAtProvider: false });
  expect(addressTraits('ada@x.invalid')).toMatchObject({ isUnreachable: true });
});
