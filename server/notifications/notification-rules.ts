/** Friends and the top 100: once a day at most. A tier: at once, and once ever. */
import type { Tier } from '../../brand/brand-shape.ts';
import { DAY_MS } from '../durations.ts';
import { tierProgress } from '../line/referrals/tier-rules.ts';

export type LastNotified = {
  /** Its tiers count as notified too: credits older than the first mail must not cause one. */
  readonly referralCount: number;
  readonly friendsAt: Date | null;
  readonly tierLevel: number;
};

export type CreditDecision = ReturnType<typeof decideCreditMails>;

export function decideCreditMails(
  tiers: readonly Tier[],
  {
    referralCount,
    lastNotified,
    now,
  }: { referralCount: number; lastNotified: LastNotified; now: Date },
) {
  const level = tierProgress(tiers, referralCount).level;
  const notifiedLevel = Math.max(
    lastNotified.tierLevel,
    tierProgress(tiers, lastNotified.referralCount).level,
  );
  const newFriends = referralCount - lastNotified.referralCount;
  const { friendsAt } = lastNotified;
  const isPostponed = newFriends > 0 && friendsAt !== null && !isDayOver(friendsAt, now);
  const isMailed = newFriends > 0 && !isPostponed;
  return {
    newFriends: isMailed ? newFriends : null,
    tierLevel: level > notifiedLevel ? level : null,
    lastNotified: {
      // When friends have left, the count falls without a mail: the next friend is news again.
      referralCount: isPostponed ? lastNotified.referralCount : referralCount,
      friendsAt: isMailed ? now : friendsAt,
      tierLevel: Math.max(level, notifiedLevel),
    },
    /** When the friends left out of this decision are due; null when there are none. */
    dueAt: isPostponed ? new Date(friendsAt.getTime() + DAY_MS) : null,
  };
}

export type Top100Change = {
  readonly memberId: string;
  readonly isInside: boolean;
  /** Joined since the last run, so the mail of the join states the position. */
  readonly isNew: boolean;
  readonly lastNotifiedAt: Date | null;
  /** Until then a change of an operator may be undone; null: no change moved the member. */
  readonly dueAt: Date | null;
};

/** `wait`: by the end of the day the member may be back, and then no mail is needed. */
export function decideTop100Mail(
  { isInside, isNew, lastNotifiedAt, dueAt }: Top100Change,
  now: Date,
): 'mail' | 'known' | 'wait' {
  if (isInside && isNew) return 'known';
  if (dueAt !== null && now < dueAt) return 'wait';
  return lastNotifiedAt === null || isDayOver(lastNotifiedAt, now) ? 'mail' : 'wait';
}

function isDayOver(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() >= DAY_MS;
}
