import type { Member, Stats } from '../../../contract/schemas.ts';
import { Banner } from '../../ui/banner.tsx';
import { GhostCard } from './ghost-card.tsx';
import { PositionCard } from './position-card.tsx';
import { ReferralCard } from './referrals/referral-card.tsx';
import { RewardsCard } from './referrals/rewards-card.tsx';
import { useChangeAnnouncement } from './refresh/use-change-announcement.ts';
import { hasReachedTier, useLastSeen } from './refresh/use-last-seen.ts';
import { ShareCard } from './share/share-card.tsx';
import { SizeCard } from './sizes/size-card.tsx';
import { StatsRow } from './stats-row.tsx';
import { TeaserCard } from './teaser-card.tsx';

export function MemberView({ member, stats }: { member: Member; stats: Stats | null }) {
  const announcement = useChangeAnnouncement(member);
  const lastSeen = useLastSeen(member);
  return (
    <>
      <div className="status-split">
        <div className="status-column">
          <PositionCard position={member.position} lastPosition={lastSeen?.position} />
          {member.is_confirmed === false && (
            <Banner tone="plain">Check your email to confirm your place</Banner>
          )}
          <ShareCard memberId={member.id} code={member.referral_code} />
          {stats?.drop === undefined && <SizeCard memberId={member.id} />}
        </div>
        <div className="status-column">
          <GhostCard code={member.referral_code} />
          <ReferralCard member={member} isTierNew={hasReachedTier(lastSeen, member)} />
          {member.rewards_unlocked.length > 0 && <RewardsCard rewards={member.rewards_unlocked} />}
        </div>
      </div>
      <div className="status-foot">
        <TeaserCard />
        <StatsRow stats={stats} />
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}
