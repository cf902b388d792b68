/** Who is told of entering or leaving the first hundred: each member once a day at most, by the difference to what they believe. */
import { isDayOver } from './day-rules.ts';

/** SPEC 1: so many are promised early access. */
export const HUNDRED = 100;

/** A member who stands elsewhere than they believe. */
export type HundredChange = {
  readonly memberId: string;
  readonly isInside: boolean;
  /** Joined since the last look, so that the mail of the join tells the place. At the very first look everybody has. */
  readonly isNew: boolean;
  /** When this member last learned on which side they are. */
  readonly toldAt: Date | null;
};

/**
 * `mail` it, take it as `known` from the join, or `wait`: for the day to be over, by when a member who has come back has
 * nothing to be told.
 */
export function decideHundredNews({ isInside, isNew, toldAt }: HundredChange, now: Date): 'mail' | 'known' | 'wait' {
  if (isInside && isNew) return 'known';
  return isDayOver(toldAt, now) ? 'mail' : 'wait';
}
