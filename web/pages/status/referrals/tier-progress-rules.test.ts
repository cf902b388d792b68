import { expect, test } from 'vitest';
import { tierProgressPercent } from './tier-progress-rules.ts';

const nextTier = { required_referrals: 10, reward: 'Afterglow wristband' };

test('progress is the share of the referrals that the next tier requires', () => {
  expect(tierProgressPercent(0, nextTier)).toBe(0);
  expect(tierProgressPercent(3, nextTier)).toBeCloseTo(30);
});

test('progress is capped at 100', () => {
  expect(tierProgressPercent(10, nextTier)).toBe(100);
  expect(tierProgressPercent(25, nextTier)).toBe(100);
});
