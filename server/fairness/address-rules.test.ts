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

test('addresses that differ by a number have one stem', () => {
  expect(traits('ada1')).toMatchObject({ stem: 'ada' });
  expect(traits('ada.27')).toMatchObject({ stem: 'ada' });
  expect(traits('ada')).toMatchObject({ stem: '' });
});

test('some domains can have no mail', () => {
  expect(addressTraits('ada@adas-shop.com')).toMatchObject({ isUnreachable: false });
  expect(addressTraits('ada@x.invalid')).toMatchObject({ isUnreachable: true });
});
