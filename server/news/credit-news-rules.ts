/** What a member who was credited is told, and when. Friends are told once a day at most, all together; a tier at once, and once ever. */
import type { Tier } from '../../brand/brand-shape.ts';
import { tierProgress } from '../rewards/tier-rules.ts';
import { DAY_MS, isDayOver } from './day-rules.ts';

/** What a member knows of their credits. */
export type ToldCredits = {
  /** Of these, the tiers too: so nobody credited before there were mails is told of them with the next friend. */
  readonly referralCount: number;
  readonly friendsAt: Date | null;
  readonly tierLevel: number;
};

export type CreditNews = {
  /** How many joined since the last mail about friends; null for no mail. */
  readonly newFriends: number | null;
  /** The highest tier reached, when that is news; null for no mail. */
  readonly tierLevel: number | null;
  readonly told: ToldCredits;
  /** When friends who are not told yet may be; null: nothing is left to tell. */
  readonly lookAgainAt: Date | null;
};

export function decideCreditNews(
  tiers: readonly Tier[],
  { referralCount, told, now }: { referralCount: number; told: ToldCredits; now: Date },
): CreditNews {
  const level = tierProgress(tiers, referralCount).level;
  const toldLevel = Math.max(told.tierLevel, tierProgress(tiers, told.referralCount).level);
  const newFriends = referralCount - told.referralCount;
  const isWaiting = newFriends > 0 && !isDayOver(told.friendsAt, now);
  const isTold = newFriends > 0 && !isWaiting;
  return {
    newFriends: isTold ? newFriends : null,
    tierLevel: level > toldLevel ? level : null,
    told: {
      // Friends who left are not told of, but the next to join counts from there.
      referralCount: isWaiting ? told.referralCount : referralCount,
      friendsAt: isTold ? now : told.friendsAt,
      tierLevel: Math.max(level, toldLevel),
    },
    lookAgainAt: isWaiting && told.friendsAt !== null ? new Date(told.friendsAt.getTime() + DAY_MS) : null,
  };
}
