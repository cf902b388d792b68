import { expect, test } from 'vitest';
import { hasReachedTier } from './use-last-seen.ts';

test('a tier is reached when the level is higher than the one last shown', () => {
  expect(hasReachedTier({ id: 'a', tier_level: 0 }, { tier_level: 1 })).toBe(true);
  expect(hasReachedTier({ id: 'a', tier_level: 1 }, { tier_level: 1 })).toBe(false);
  expect(hasReachedTier({ id: 'a', tier_level: 2 }, { tier_level: 1 })).toBe(false);
});

test('a level that was never shown is not reached anew', () => {
  expect(hasReachedTier(null, { tier_level: 3 })).toBe(false);
  expect(hasReachedTier({ id: 'a' }, { tier_level: 3 })).toBe(false);
});
