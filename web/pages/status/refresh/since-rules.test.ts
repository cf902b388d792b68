import { expect, test } from 'vitest';
import { describeSince } from './since-rules.ts';

const then = { position: 12_480, referral_count: 1 };

test('friends who joined and places gained are told together', () => {
  expect(describeSince(then, { position: 12_439, referral_count: 3 })).toBe(
    'Since you were here: 2 friends joined, 41 places up.',
  );
  expect(describeSince(then, { position: 12_479, referral_count: 1 })).toBe(
    'Since you were here: 1 place up.',
  );
});

test('friends who are waiting have joined, and are not told again when they count', () => {
  const waiting = { ...then, pending_referrals: 1, held_referrals: 1 };
  expect(describeSince(then, waiting)).toBe('Since you were here: 2 friends joined.');
  expect(describeSince(waiting, { ...then, referral_count: 3 })).toBe('');
});

test('places lost are told with their reason where it is certain', () => {
  expect(describeSince(then, { ...then, position: 13_480 })).toBe(
    'Since you were here: 1,000 places back, as others moved ahead.',
  );
  expect(describeSince(then, { position: 13_480, referral_count: 0 })).toBe(
    'Since you were here: 1,000 places back.',
  );
});

test('nothing is told without a change, or without a position to compare with', () => {
  expect(describeSince(then, then)).toBe('');
  expect(describeSince(null, then)).toBe('');
  expect(describeSince({ referral_count: 0 }, then)).toBe('');
});
