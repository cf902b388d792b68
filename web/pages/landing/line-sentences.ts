/** The rule of the line in words. Pure, so that the sentences change with the rule of the brand file. */
import type { Brand, LineRule } from '../../../brand/brand-shape.ts';

type Ruled = Pick<Brand, 'lineRule' | 'tiers'>;

/**
 * What decides a place, and what it is worth. SPEC 1: neither the size of a boost nor the friends that a tier needs may
 * show, so the sentences say what goes before what, which is exact without a number.
 */
export function describeLine({ lineRule, tiers }: Ruled, { places }: { places: number }): readonly string[] {
  return [
    ...ORDER[lineRule.name],
    ...(tiers.length > 0 ? ['Friends unlock rewards too: the more you bring, the better they get.'] : []),
    `The top ${places} enter the shop first: a chance at a mask, not a claim to one.`,
  ];
}

/** See server/waitlist/line-rules.ts, against which these are tested. */
const ORDER: Readonly<Record<LineRule['name'], readonly string[]>> = {
  points: [
    'Bring more friends, stand further ahead.',
    'A friend who joins by your link counts, once.',
    'On a tie, invited goes before uninvited, then early before late.',
  ],
  skip: [
    'Early in, early in line.',
    'Every friend who joins by your link moves you ahead, each by the same step.',
    'Coming by invite is worth one such step. On a tie, early goes before late.',
  ],
};
