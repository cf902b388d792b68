import { expect, test } from 'vitest';
import { describeChange } from './use-change-news.ts';

const before = { position: 130, referral_count: 0, tier_level: 0 };

test('nothing new is no news', () => {
  expect(describeChange(before, before)).toBe('');
});

test('a move in the line names the new place and the old one', () => {
  expect(describeChange(before, { ...before, position: 128 })).toBe('Your place is now #128, it was #130.');
});

test('a friend who joined is counted in the same breath', () => {
  expect(describeChange(before, { ...before, position: 4, referral_count: 1 })).toBe(
    'Your place is now #4, it was #130. You have 1 referral.',
  );
});

test('a tier that was reached is told, one that was lost is not', () => {
  expect(describeChange(before, { ...before, tier_level: 1 })).toBe('You have reached tier 1.');
  expect(describeChange({ ...before, tier_level: 1 }, before)).toBe('');
});
