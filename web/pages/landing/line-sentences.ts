import type { Brand } from '../../../brand/brand-shape.ts';

/**
 * Boosts and thresholds are secret (docs/behaviour.md 1): the sentences only say who goes first.
 * The tests compare them with server/line/line-rules.ts.
 */
export function describeLine({
  tiers,
  maskCount,
}: Pick<Brand, 'tiers' | 'maskCount'>): readonly string[] {
  const highest = tiers.at(-1)?.reward;
  return [
    'Bring more friends, stand further ahead.',
    'A friend who joins through your link counts once.',
    'Level on friends? Invited first, then earliest.',
    ...(highest === undefined ? [] : [`Friends unlock rewards, too. The highest: ${highest}.`]),
    `The top ${maskCount} enter the shop first: a chance at a mask, by a rule published before ` +
      'each draw.',
  ];
}
