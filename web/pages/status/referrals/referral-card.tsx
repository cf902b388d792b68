import type { Member } from '../../../../contract/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { DotNumber } from '../../../ui/numerals/dot-number.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { PendingFriends } from './pending-friends.tsx';
import { RewardLadder } from './reward-ladder.tsx';
import { TierBadge } from './tier-badge.tsx';
import { tierProgressPercent } from './tier-progress-rules.ts';

type ReferralCardProps = {
  readonly member: Member;
  /** The tier was reached since the last visit: the card flares once. */
  readonly isTierNew: boolean;
};

/**
 * Tier, referral count, progress toward the next tier, if any, and rewards. The bar shows a share
 * only: how many referrals a tier requires is secret (docs/behaviour.md 1).
 */
export function ReferralCard({ member, isTierNew }: ReferralCardProps) {
  const { referral_count: count, tier_level: level, next_tier: nextTier } = member;
  return (
    <Card
      title="Referrals"
      id="referrals"
      className="referral-card"
      aside={<TierBadge level={level} />}
    >
      {isTierNew && <span className="tier-flare" aria-hidden="true" />}
      <p className="referral-count">
        <DotNumber value={count} />
        <span className="label">{count === 1 ? 'referral' : 'referrals'}</span>
      </p>
      <PendingFriends member={member} />
      {nextTier && (
        <ProgressBar
          label="Progress toward the next tier"
          percent={tierProgressPercent(count, nextTier)}
        />
      )}
      <p className="quiet">
        {nextTier ? `Next reward: ${nextTier.reward}` : 'You have reached the last tier.'}
      </p>
      <RewardLadder level={level} unlocked={member.rewards_unlocked} />
    </Card>
  );
}
