import { expect, test } from 'vitest';
import { brand as ownBrand } from '../../../brand/brand.ts';
import { brand as secondBrand } from '../../../test/fixtures/second-brand/brand.ts';
import { findBrandFaults } from './brand-rules.ts';

/** The second brand with another value at a path such as `tiers.1.reward`; undefined: none. */
function withValue(path: string, value: unknown): unknown {
  const brand = structuredClone(secondBrand);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place: Record<string, unknown> = brand as unknown as Record<string, unknown>;
  for (const key of keys) place = place[key] as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return brand;
}

test.each([ownBrand, secondBrand])('$name has no fault', (brand) => {
  expect(findBrandFaults(brand)).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['lineRule', { name: 'skip' }, 'lineRule is not a key of the brand file.'],
  ['sizes.1.stock', -3, 'sizes[1].stock must be a whole number from 0 to 1000000, not -3.'],
  ['sizes.1.stock', '36', 'sizes[1].stock must be a whole number from 0 to 1000000, not "36".'],
  ['sizes.1.name', 'CUB', 'sizes[1].name is CUB, which sizes[0] is called already.'],
  ['sizes', [], 'sizes must have at least 1 entry, not 0.'],
  ['maskCount', 99, 'maskCount is 99, but the stock of all sizes adds up to 60.'],
  ['copy.tagline', undefined, 'copy.tagline is missing.'],
  ['copy.tagline', ' ', 'copy.tagline is empty.'],
  ['copy.tagLine', 'x', 'copy.tagLine is not a key of the brand file.'],
  ['copy.headline', ['One'], 'copy.headline must have 2 entries, not 1.'],
  [
    'links.contact',
    'hello@paper-fox.example',
    'links.contact must be an address that begins with mailto: or https:, ' +
      'not "hello@paper-fox.example".',
  ],
  [
    'links.privacy',
    'javascript:alert(1)',
    'links.privacy must be an address that begins with https:, not "javascript:alert(1)".',
  ],
  ['links', undefined, 'links is missing.'],
  ['specified', 7, 'specified must be an object, not 7.'],
  ['mails.friends.subject', { one: 'x' }, 'mails.friends.subject.other is missing.'],
  [
    'mails.tier.subject',
    'Step {levle}.',
    'mails.tier.subject names {levle}; it knows {level}, {reward}.',
  ],
  [
    'mails.welcome.headline.1',
    { other: '#{position}', one: '{postion}' },
    'mails.welcome.headline[1].one names {postion}; it knows {position}.',
  ],
  [
    'mails.terms.code',
    'Pay {prise}.',
    'mails.terms.code names {prise}; it knows {price}, {payHours}, {payBy}.',
  ],
  ['mails.entryReasons.undone', '{why}', 'mails.entryReasons.undone names {why}; it knows none.'],
  ['mails.friends.isOn', 'yes', 'mails.friends.isOn must be true or false, not "yes".'],
  [
    'tiers.1.requiredReferrals',
    1,
    'tiers[1].requiredReferrals is 1, but must be more than the 1 of the tier before it.',
  ],
  ['tiers.1.kind', 'size', 'tiers[1].kind must be plain or address or code, not "size".'],
  ['tiers.0.reward', null, 'tiers[0].reward must be a text, not null.'],
  ['language', 'english!', 'language must be a language tag such as en or pt-BR, not "english!".'],
])('%s as %j is reported in one sentence', (path, value, sentence) => {
  expect(findBrandFaults(withValue(path, value))).toEqual([sentence]);
});

test('all faults are reported together', () => {
  const { sizes: _, ...rest } = secondBrand;
  expect(findBrandFaults({ ...rest, name: '', tiers: [{ reward: 'x', kind: 'plain' }] })).toEqual([
    'name is empty.',
    'sizes is missing.',
    'tiers[0].requiredReferrals is missing.',
  ]);
});

test.each([undefined, null, 'brand', []])('%j is no brand', (value) => {
  expect(findBrandFaults(value)).toEqual(['it must export an object named brand.']);
});
