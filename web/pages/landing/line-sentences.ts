import type { Brand, LineRule } from '../../../brand/brand-shape.ts';

/**
 * Boosts and thresholds are secret (docs/behaviour.md 1): the sentences only say who goes first.
 */
export function describeLine({
  lineRule,
  tiers,
  maskCount,
}: Pick<Brand, 'lineRule' | 'tiers' | 'maskCount'>): readonly string[] {
  const highest = tiers.at(-1)?.reward;
  return [
    ...ORDER[lineRule.name],
    ...(highest === undefined ? [] : [`Friends unlock rewards, too. The highest: ${highest}.`]),
    `The top ${maskCount} enter the shop first: a chance at a mask, by a rule published before ` +
      'each draw.',
  ];
}

/** The tests compare these with server/line/line-rules.ts. */
const ORDER: Readonly<Record<LineRule['name'], readonly string[]>> = {
  points: [
    'Bring more friends, stand further ahead.',
    'A friend who joins through your link counts once.',
    'Level on friends? Invited first, then earliest.',
  ],
  skip: [
    'Early in, early in line.',
    'Every friend who joins through your link moves you ahead, each by the same step.',
    'An invite is worth one such step, too. Level? Earliest first.',
  ],
  fade: [
    'Early in, early in line.',
    'Every friend who joins through your link moves you ahead, the first ones furthest.',
    'An invite is worth as much as a first friend. Level? Earliest first.',
  ],
};
