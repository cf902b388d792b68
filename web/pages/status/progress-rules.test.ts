import { expect, test } from 'vitest';
import {
  countPlacesToGo,
  describeChange,
  describeSince,
  describeTier,
  hasReachedTier,
  tierProgressPercent,
} from './progress-rules.ts';

const then = { position: 12_480, referral_count: 1 };

test('friends who joined and places gained are named together', () => {
  expect(describeSince(then, { position: 12_439, referral_count: 3 })).toBe(
    'Since you were here: 2 friends joined, 41 places up.',
  );
  expect(describeSince(then, { position: 12_479, referral_count: 1 })).toBe(
    'Since you were here: 1 place up.',
  );
});

test('a mail that brought the member adds no visit to the facts', () => {
  expect(describeSince(then, { position: 12_439, referral_count: 3 }, '')).toBe(
    '2 friends joined, 41 places up.',
  );
  expect(describeSince(then, then, '')).toBe('');
});

test('friends have joined whether they count or not', () => {
  const joined = { ...then, joined_referrals: 3 };
  expect(describeSince(then, joined)).toBe('Since you were here: 2 friends joined.');
  expect(describeSince(joined, { ...joined, referral_count: 3 })).toBe('');
});

test('places lost are named with their reason where it is certain', () => {
  expect(describeSince(then, { ...then, position: 13_480 })).toBe(
    'Since you were here: 1,000 places back, as others moved ahead.',
  );
  expect(describeSince(then, { position: 13_480, referral_count: 0 })).toBe(
    'Since you were here: 1,000 places back.',
  );
});

test('nothing is said without a change, or without a position to compare with', () => {
  expect(describeSince(then, then)).toBe('');
  expect(describeSince(null, then)).toBe('');
  expect(describeSince({ referral_count: 0 }, then)).toBe('');
});

const before = { position: 130, referral_count: 0, tier_level: 0 };

test('without a change nothing is announced', () => {
  expect(describeChange(before, before)).toBe('');
});

test('a move names the new position and the old one', () => {
  expect(describeChange(before, { ...before, position: 128 })).toBe(
    'Your place is now #128, it was #130.',
  );
});

test('a friend who joined is counted in the same announcement', () => {
  expect(describeChange(before, { ...before, position: 4, referral_count: 1 })).toBe(
    'Your place is now #4, it was #130. You have 1 referral.',
  );
});

test('friends are announced as they join and confirm', () => {
  const counts = { joined_referrals: 1, confirmed_referrals: 0, settled_referrals: 0 };
  const joined = { ...before, referral_count: 1, ...counts };
  expect(describeChange({ ...before, joined_referrals: 0 }, joined)).toBe(
    'You have 1 referral. 1 friend, 0 confirmed, 0 count.',
  );
  expect(describeChange(joined, joined)).toBe('');
  expect(describeChange(joined, { ...joined, confirmed_referrals: 1, settled_referrals: 1 })).toBe(
    '1 friend, 1 confirmed, 1 counts.',
  );
});

test('a confirmed position is announced', () => {
  const unconfirmed = { ...before, is_confirmed: false };
  expect(describeChange(unconfirmed, { ...unconfirmed, is_confirmed: true })).toBe(
    'Your place is confirmed.',
  );
  expect(describeChange(before, { ...before, is_confirmed: true })).toBe('');
});

test('a tier that was reached is announced, one that was lost is not', () => {
  expect(describeChange(before, { ...before, tier_level: 1 })).toBe('You have reached tier 1.');
  expect(describeChange({ ...before, tier_level: 1 }, before)).toBe('');
});

test('a tier is reached when the level is higher than the one last shown', () => {
  expect(hasReachedTier({ id: 'a', tier_level: 0 }, { tier_level: 1 })).toBe(true);
  expect(hasReachedTier({ id: 'a', tier_level: 1 }, { tier_level: 1 })).toBe(false);
  expect(hasReachedTier({ id: 'a', tier_level: 2 }, { tier_level: 1 })).toBe(false);
});

test('a level that was never shown is not reached anew', () => {
  expect(hasReachedTier(null, { tier_level: 3 })).toBe(false);
  expect(hasReachedTier({ id: 'a' }, { tier_level: 3 })).toBe(false);
});

const nextTier = { required_referrals: 10, reward: 'Afterglow wristband' };

test('a tier is named by its reward, if it has one', () => {
  expect(describeTier({ tier_level: 1 })).toBe('Tier 1 reached: Glow sticker set.');
  expect(describeTier({ tier_level: 99 })).toBe('Tier 99 reached.');
});

test('progress is the share of the referrals that the next tier requires', () => {
  expect(tierProgressPercent(0, nextTier)).toBe(0);
  expect(tierProgressPercent(3, nextTier)).toBeCloseTo(30);
});

test('progress is capped at 100', () => {
  expect(tierProgressPercent(10, nextTier)).toBe(100);
  expect(tierProgressPercent(25, nextTier)).toBe(100);
  const none = { ...nextTier, required_referrals: 0 };
  expect([tierProgressPercent(0, none), tierProgressPercent(1, none)]).toEqual([0, 100]);
});

test('places to go are counted to the last position in the top', () => {
  expect(countPlacesToGo(128)).toBe('28 places to go');
  expect(countPlacesToGo(101)).toBe('1 place to go');
  expect(countPlacesToGo(1_234_667)).toBe('1,234,567 places to go');
});
