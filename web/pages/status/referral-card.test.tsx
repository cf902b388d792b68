import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TierBadge } from './referral-card.tsx';

const iconOf = (level: number) =>
  /lucide-([a-z-]+)/.exec(renderToStaticMarkup(<TierBadge level={level} />))?.[1];

test('tiers have no icon, then a gift, a badge, a trophy, and from tier 4 on a crown', () => {
  expect([0, 1, 2, 3, 4, 5, 12].map(iconOf)).toEqual([
    undefined,
    'gift',
    'badge',
    'trophy',
    'crown',
    'crown',
    'crown',
  ]);
});

test('only trophy and crown are golden', () => {
  const isGolden = (level: number) =>
    renderToStaticMarkup(<TierBadge level={level} />).includes('tier-golden');
  expect([0, 1, 2, 3, 4].map(isGolden)).toEqual([false, false, false, true, true]);
});
