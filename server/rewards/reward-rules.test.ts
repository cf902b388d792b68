import { expect, test } from 'vitest';
import { exposureOf } from './reward-rules.ts';

const tiers = [
  { requiredReferrals: 1, reward: 'Sticker', kind: 'plain' },
  { requiredReferrals: 3, reward: 'Shirt', kind: 'address' },
] as const;
/** 10 members: 4 have one friend, 2 have two, 1 has three, 1 has five. */
const line = {
  total: 10,
  tallies: [
    { referralCount: 1, members: 4 },
    { referralCount: 2, members: 2 },
    { referralCount: 3, members: 1 },
    { referralCount: 5, members: 1 },
  ],
};

test('what is owed, and what it would be if everyone one friend short got there', () => {
  const [sticker, shirt] = exposureOf(tiers, { ...line, states: [], budgets: [] });
  expect(sticker).toMatchObject({ owed: 8, within_one_friend: 2, units_if_reached: 10 });
  expect(shirt).toMatchObject({ owed: 2, within_one_friend: 2, units_if_reached: 4 });
  expect([sticker?.kind, shirt?.kind]).toEqual(['plain', 'address']);
  expect(shirt).toMatchObject({ budget: null, cost_cents: null, units_over_budget: null });
});

test('a reward that was sent counts, also when its member has lost the tier since', () => {
  const [, shirt] = exposureOf(tiers, {
    ...line,
    states: [
      { tier: 2, state: 'asked', rewards: 1, reaching: 1 },
      { tier: 2, state: 'sent', rewards: 3, reaching: 0 },
    ],
    budgets: [{ tier: 2, units: 6, centsPerUnit: 1250 }],
  });
  expect(shirt).toMatchObject({ owed: 1, asked: 1, answered: 0, sent: 3, units: 5 });
  expect(shirt).toMatchObject({
    units_if_reached: 7,
    cost_cents: 6250,
    cost_cents_if_reached: 8750,
    units_over_budget: 1,
  });
});
