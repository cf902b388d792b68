import { type ReactNode, useEffect, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import type { Member, Stats } from '../../../contract/schemas.ts';
import type { JoinedMember } from '../../api/answer-shapes.ts';
import { memberStorage } from '../../browser/storage.ts';
import { toasts } from '../../toasts.ts';
import { toastStore } from '../../ui/toast/toast-store.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { GhostCard } from './ghost-card.tsx';
import { takeOwnMark } from './own-link.ts';
import { Hundred, PositionCard, PositionLoading } from './position-card.tsx';
import { describeSince, hasReachedTier } from './progress-rules.ts';
import { ShareCard } from './share-card.tsx';

const CONFIRM = 'Check your email to confirm your place';

export type LateParts = typeof import('./late-parts.tsx');

type MemberViewProps = {
  /** null while loading: every part has its final place already. */
  readonly member: Member | null;
  readonly stats: Stats | null;
  readonly code: string | undefined;
  readonly parts: LateParts | null;
};

export function MemberView({ member, stats, code, parts }: MemberViewProps) {
  const { before, lastVisit } = useLastSeen(member);
  return (
    <>
      <div className="stack status-split">
        <div className="stack status-column">
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
        <div className="stack status-column">
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
        <div className="stack status-foot">
          <parts.TeaserCard />
          <parts.StatsRow stats={stats} />
        </div>
      )}
      {member && parts && <parts.ChangeAnnouncement member={member} />}
    </>
  );
}

export function MemberNotFound() {
  return <EmptyState title={brand.specified.statusNotFound} text="Invalid or expired link." />;
}

export function LoadFailed({ retry }: { retry: ReactNode }) {
  return (
    <EmptyState
      title="Error loading data"
      text="Please refresh the page or try again later."
      action={retry}
    />
  );
}

type LastSeen = {
  /** The record as this browser showed it last: stored, or before the last refresh. */
  readonly before: JoinedMember | null;
  readonly lastVisit: JoinedMember | null;
};

/** Stores who comes by a link of their own, and keeps a stored record as fresh as the page. */
function useLastSeen(member: Member | null): LastSeen {
  const [seen, setSeen] = useState<LastSeen & { readonly member: Member | null }>({
    member: null,
    before: null,
    lastVisit: null,
  });
  if (member && seen.member !== member) {
    const lastVisit = seen.member ? seen.lastVisit : readStored(member.id);
    setSeen({ member, before: seen.member ?? lastVisit, lastVisit });
  }

  useEffect(() => {
    if (!member) return;
    const mark = takeOwnMark();
    if (mark || readStored(member.id)) memberStorage.write(member);
    if (mark === 'joined') toastStore.show(toasts.joined);
  }, [member]);

  return seen;
}

function readStored(memberId: string): JoinedMember | null {
  const stored = memberStorage.read();
  return stored?.id === memberId ? stored : null;
}
