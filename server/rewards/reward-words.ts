/** What the changes of rewards share. */

import { countOf } from '../changes/count-words.ts';
import { Problem } from '../problem.ts';

/** The most that one undo record holds, and one transaction beside joins. */
export const MAX_REWARDS = 5_000;

/** "3 rewards of tier 2". */
export function rewardsOf(count: number, tier: number): string {
  return `${countOf(count, 'reward')} of tier ${tier}`;
}

/** Throws Problem conflict. `expected` is from the preview. */
export function assertFew(found: number, expected = MAX_REWARDS): void {
  if (found > MAX_REWARDS)
    throw new Problem(
      'conflict',
      `These are more than ${countOf(MAX_REWARDS, 'reward')}: name the members, in several steps.`,
    );
  if (found > expected)
    throw new Problem(
      'conflict',
      `${countOf(found, 'reward')} would change by now, and not ${expected}: ` +
        'look at the preview again.',
    );
}
