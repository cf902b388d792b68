import { expect, test } from 'vitest';
import { memberView, newMemberJson, newMemberJsonEnd } from './member-view.ts';

const tiers = [
  { requiredReferrals: 1, reward: 'sticker', kind: 'plain' as const },
  { requiredReferrals: 2, reward: 'the "position":0, shirt', kind: 'plain' as const },
];
const member = {
  id: '00000000-0000-4000-8000-000000000000',
  email: 'a"position":0@b.example',
  referral_code: '0123456789',
  joined_referrals: 4,
  confirmed_referrals: 1,
  settled_referrals: 1,
  is_confirmed: true,
};

test('the record has the fields of docs/behaviour.md 3 in snake case', () => {
  expect(memberView(tiers, { ...member, referral_count: 1, position: 7 })).toEqual({
    id: member.id,
    email: member.email,
    referral_code: '0123456789',
    position: 7,
    referral_count: 1,
    tier_level: 1,
    next_tier: { required_referrals: 2, reward: 'the "position":0, shirt' },
    rewards_unlocked: ['sticker'],
    joined_referrals: 4,
    confirmed_referrals: 1,
    settled_referrals: 1,
    is_confirmed: true,
  });
});

test('after the last tier the next one is null', () => {
  expect(memberView(tiers, { ...member, referral_count: 2, position: 1 }).next_tier).toBeNull();
});

test('the two halves of a new record are the record around its position, to the byte', () => {
  const record = {
    ...member,
    referral_count: 0,
    position: 1234,
    joined_referrals: 0,
    confirmed_referrals: 0,
    settled_referrals: 0,
    is_confirmed: false,
  };
  expect(`${newMemberJson(member)}1234${newMemberJsonEnd(tiers)}`).toBe(
    JSON.stringify(memberView(tiers, record)),
  );
});
