import { expect, test } from 'vitest';
import { describeChange } from './change-announcement.tsx';

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

test('friends who have yet to confirm are announced as they join and confirm', () => {
  const waiting = { ...before, pending_referrals: 1 };
  expect(describeChange({ ...before, pending_referrals: 0 }, waiting)).toBe(
    '1 friend joined, 1 still to confirm.',
  );
  expect(describeChange(waiting, waiting)).toBe('');
  expect(
    describeChange({ ...waiting, pending_referrals: 2 }, { ...waiting, referral_count: 1 }),
  ).toBe('You have 1 referral. 2 friends joined, 1 still to confirm.');
  expect(describeChange(waiting, { ...before, referral_count: 1, pending_referrals: 0 })).toBe(
    'You have 1 referral.',
  );
});

test('friends who are being checked are announced, and again as they count', () => {
  const checked = { ...before, referral_count: 2, held_referrals: 1 };
  expect(describeChange({ ...before, referral_count: 2 }, checked)).toBe(
    '3 friends joined, 1 being checked.',
  );
  expect(describeChange(checked, checked)).toBe('');
  expect(describeChange(checked, { ...before, referral_count: 3 })).toBe('You have 3 referrals.');
  expect(describeChange(checked, { ...checked, pending_referrals: 1 })).toBe(
    '4 friends joined, 1 still to confirm, 1 being checked.',
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
