import type { Member, Stats } from '../../../contract/schemas.ts';
import { GhostCard } from './ghost-card.tsx';
import type { LateParts } from './late/use-late-parts.ts';
import { Hundred } from './position/hundred.tsx';
import { PositionCard, PositionLoading } from './position/position-card.tsx';
import { describeSince } from './refresh/since-rules.ts';
import { hasReachedTier, useLastSeen } from './refresh/use-last-seen.ts';
import { ShareCard } from './share/share-card.tsx';

const CONFIRM = 'Check your email to confirm your place';

type MemberViewProps = {
  /** null while it is loaded: every part has its final place already. */
  readonly member: Member | null;
  readonly stats: Stats | null;
  /** Of the member, where this browser knows it before the answer. */
  readonly code: string | undefined;
  /** null until they have arrived. */
  readonly parts: LateParts | null;
};

/** The page of a member. Its face stays the same element as it loads. */
export function MemberView({ member, stats, code, parts }: MemberViewProps) {
  const { before, lastVisit } = useLastSeen(member);
  return (
    <>
      <div className="status-split">
        <div className="status-column">
          {member ? (
            <PositionCard
              position={member.position}
              lastPosition={before?.position}
              news={member.is_confirmed === false ? CONFIRM : describeSince(lastVisit, member)}
            />
          ) : (
            <PositionLoading />
          )}
          {member ? (
            <ShareCard member={member} Kit={parts?.ShareKit} />
          ) : (
            <div className="card placeholder-card share-card" />
          )}
          <Hundred position={member?.position ?? null} />
          {member && parts && <parts.InviterCard memberId={member.id} />}
        </div>
        <div className="status-column">
          <GhostCard code={code} />
          {member && parts ? (
            <parts.ReferralCard member={member} isTierNew={hasReachedTier(before, member)} />
          ) : (
            <div className="card placeholder-card referral-card" />
          )}
          {member && stats?.drop === undefined && parts && <parts.SizeCard memberId={member.id} />}
        </div>
      </div>
      {member && parts && (
        <div className="status-foot">
          <parts.TeaserCard />
          <parts.StatsRow stats={stats} />
        </div>
      )}
      {member && parts && <parts.ChangeAnnouncement member={member} />}
    </>
  );
}
