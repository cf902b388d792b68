import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import type { Member } from '../../../contract/schemas.ts';
import { RewardsCard } from './rewards-card.tsx';
import { FACE_ID } from './share-kit.tsx';

const MEMBER: Member = {
  id: '',
  email: '',
  referral_code: 'GH05T1GH05',
  position: 128,
  referral_count: 1,
  joined_referrals: 1,
  confirmed_referrals: 1,
  settled_referrals: 1,
  is_confirmed: true,
  tier_level: 0,
  next_tier: null,
  rewards_unlocked: [],
};

const draw = (unlocked: readonly string[], level: number) =>
  renderToStaticMarkup(
    <RewardsCard member={{ ...MEMBER, tier_level: level, rewards_unlocked: [...unlocked] }} />,
  );

test('each reward is drawn, print and jacket with the member’s own face', () => {
  const html = draw([], 0);
  expect(html.match(/class="reward"/g)).toHaveLength(brand.tiers.length);
  const faces = brand.tiers.filter(({ picture }) => picture === 'print' || picture === 'jacket');
  expect(html.match(new RegExp(`href="#${FACE_ID}"`, 'g'))).toHaveLength(faces.length);
  expect(html).not.toContain('Unlocked');
});

test('a reward that the brand no longer names is drawn as a ticket, and stays unlocked', () => {
  const html = draw(['An older reward'], brand.tiers.length);
  expect(html).toContain('An older reward');
  expect(html.match(/class="reward"/g)).toHaveLength(1);
  expect(html).not.toContain('Still to unlock');
});
