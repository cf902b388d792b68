import { expect, test } from 'vitest';
import { hasFailedCall, type MemberStatus, mergeStatus, type StatusDrop } from './load-status.ts';

const member = {
  id: 'm',
  email: 'a@example.com',
  referral_code: '7KQ2XW9F4T',
  position: 128,
  referral_count: 3,
  joined_referrals: 3,
  confirmed_referrals: 3,
  settled_referrals: 3,
  is_confirmed: true,
  tier_level: 1,
  next_tier: null,
  rewards_unlocked: [],
};
const stats = { total_signups: 2481, available_masks: 100, top_referrers: [] };
const loaded = { state: 'loaded', member, stats, drop: null } satisfies MemberStatus;
const drop = {} as StatusDrop;

test('a refresh that fails removes nothing from the page', () => {
  expect(mergeStatus(loaded, { state: 'failed' })).toBe(loaded);
});

test('a refresh without stats keeps the stats shown before', () => {
  const moved = { ...member, position: 127 };
  expect(mergeStatus(loaded, { ...loaded, member: moved, stats: null })).toEqual({
    ...loaded,
    member: moved,
  });
});

test('a refresh that does not reach the drop keeps what was shown about it', () => {
  const shown = { ...loaded, drop };
  expect(mergeStatus(shown, { ...loaded, drop: undefined })).toEqual(shown);
  expect(mergeStatus(shown, { ...loaded, stats: null })).toEqual(shown);
  expect(mergeStatus(shown, loaded)).toEqual(loaded);
  expect(hasFailedCall({ ...loaded, drop: undefined })).toBe(true);
});

test('a member who was removed in the meantime is not found', () => {
  expect(mergeStatus(loaded, { state: 'notFound' })).toEqual({ state: 'notFound' });
});

test('a call has failed when the stats are missing too, but not for an unknown member', () => {
  expect(hasFailedCall(loaded)).toBe(false);
  expect(hasFailedCall({ ...loaded, stats: null })).toBe(true);
  expect(hasFailedCall({ state: 'failed' })).toBe(true);
  expect(hasFailedCall({ state: 'notFound' })).toBe(false);
});
