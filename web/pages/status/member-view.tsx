import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { coarsePaint } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import type { LineWords } from '../../../brand/drop-words.ts';
import { fillPath, imagePaths, pagePaths } from '../../../contract/paths.ts';
import { openLineNote } from '../../../contract/plain-status.ts';
import type { Member, Stats } from '../../../contract/schemas.ts';
import type { JoinedMember } from '../../api/answer-shapes.ts';
import { shareInvite } from '../../browser/share.ts';
import { memberStorage } from '../../browser/storage.ts';
import { toasts } from '../../toasts.ts';
import { Card } from '../../ui/card.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { writeNumber } from '../../ui/numerals/write-number.ts';
import { toastStore } from '../../ui/toast/toast-store.ts';
import { useCopied } from '../../ui/use-copied.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { shareReason } from '../parts/share-reason.ts';
import { GhostCard } from './ghost-card.tsx';
import { readMailedStanding, takeOwnMark } from './own-link.ts';
import { Hundred, PositionCard, PositionLoading } from './position-card.tsx';
import { describeSince, describeTier, hasEnteredTop, hasReachedTier } from './progress-rules.ts';
import type { ShareKit } from './share-kit.tsx';

const CONFIRM = 'Check your email to confirm your place';

export type LateParts = typeof import('./late-parts.tsx');

type MemberViewProps = {
  /** Null while loading, when every part has its final height already. */
  readonly member: Member | null;
  readonly stats: Stats | null;
  /** Words about the drop, from its freeze to the next drop; null otherwise. */
  readonly words: LineWords | null;
  readonly code: string | undefined;
  readonly parts: LateParts | null;
};

export function MemberView({ member, stats, words, code, parts }: MemberViewProps) {
  const lastSeen = useLastSeen(member, stats?.total_signups);
  const { before } = lastSeen;
  const hasEntered = member !== null && hasEnteredTop(before, member);
  const isTierNew = member !== null && hasReachedTier(before, member);
  const [note, reason] = member ? explainPlace(member, words) : [];
  return (
    <>
      <div className="stack status-split">
        <div className="stack status-column">
          {member ? (
            <PositionCard
              position={member.position}
              lastPosition={before?.position}
              counted={words ? `for ${words.nextDrop}` : describeTotal(member, stats)}
              news={describeNews(member, lastSeen)}
              picture={hasEntered ? fillPath(imagePaths.memberImage, member.id, 'tall') : null}
              note={note}
            />
          ) : (
            <PositionLoading />
          )}
          {member ? (
            <ShareCard member={member} words={words} reason={reason} Kit={parts?.ShareKit} />
          ) : (
            <div className="card placeholder-card share-card" />
          )}
          {member && parts && <parts.InviterCard memberId={member.id} />}
          <Hundred
            position={member?.position ?? null}
            paint={member ? coarsePaint(member.referral_code) : ''}
            {...words?.meter}
          />
        </div>
        <div className="stack status-column">
          <GhostCard code={code} isFlaring={hasEntered || isTierNew} />
          {member && parts ? (
            <parts.ReferralCard member={member} isTierNew={isTierNew} />
          ) : (
            <div className="card placeholder-card referral-card" />
          )}
          {member && parts && <parts.RewardsCard member={member} />}
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
      {isTierNew && parts && <parts.TierNews member={member} />}
    </>
  );
}

function describeTotal({ position }: Member, stats: Stats | null): string {
  const total = stats?.total_signups ?? 0;
  return total < position ? '' : `of ${writeNumber(total)}`;
}

const inviteLinkOf = ({ referral_code: code }: Member) =>
  location.origin + fillPath(pagePaths.invite, code);

/** Takes the place of a page that broke: position and invite link stay up to date. */
export function BrokenStatus({ member }: { member: Member | null }) {
  return (
    <main className="page stack">
      {member && (
        <>
          <h1>{`${brand.specified.memberName} #${writeNumber(member.position)} in line`}</h1>
          <input className="input" aria-label="Invite link" readOnly value={inviteLinkOf(member)} />
        </>
      )}
      <p role="alert">This page stopped working. Please refresh it or try again later.</p>
      <ButtonLink href="">Refresh</ButtonLink>
    </main>
  );
}

/**
 * The note below the number, and the words below the share button. Who is behind the top reads at
 * the number what moves them there.
 */
function explainPlace(member: Member, words: LineWords | null): readonly string[] {
  const place = openLineNote(brand, member.position);
  const [move, start] = shareReason(member);
  const invite = words?.invite ?? `${move} ${start}`;
  if (words?.note) return [words.note, invite];
  if (member.position <= brand.maskCount) return [place, invite];
  return [
    // A number of four digits is written lower, which leaves a line for another sentence.
    member.position < 1_000 ? move : `${move} ${brand.copy.formNote}`,
    words?.invite ?? `${start} ${place}`,
  ];
}

/** The greatest change comes first. */
function describeNews(member: Member, { before, lastVisit, isMailed }: LastSeen): string {
  if (mustConfirm(member)) return CONFIRM;
  if (hasEnteredTop(before, member)) return brand.copy.enteredTop;
  if (hasReachedTier(before, member)) return describeTier(member);
  return describeSince(lastVisit, member, isMailed ? '' : undefined);
}

/** Whoever has not confirmed counts for nobody in a frozen line, and is not in it. */
const mustConfirm = (member: Member) => member.is_confirmed === false;

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
  /** Record that this browser showed last: the stored one, or the one before a refresh. */
  readonly before: JoinedMember | null;
  readonly lastVisit: JoinedMember | null;
  /** The last visit is the standing of a mail, because this browser has none stored. */
  readonly isMailed: boolean;
};

/** Stores a member who opened their own link, and updates a stored record with the page. */
function useLastSeen(member: Member | null, total = 0): LastSeen {
  const [seen, setSeen] = useState<LastSeen & { readonly member: Member | null }>({
    member: null,
    before: null,
    lastVisit: null,
    isMailed: false,
  });
  if (member && seen.member !== member) {
    const first = seen.member ? seen : readLastVisit(member, total);
    setSeen({ ...first, member, before: seen.member ?? first.lastVisit });
  }

  useEffect(() => {
    if (!member) return;
    const mark = takeOwnMark();
    if (mark || readStored(member.id)) memberStorage.write(member);
    if (mark === 'joined') toastStore.show(toasts.joined);
  }, [member]);

  return seen;
}

function readLastVisit(member: Member, total: number): Omit<LastSeen, 'before'> {
  const stored = readStored(member.id);
  const mailed = stored ? null : readMailedStanding(total);
  if (mailed === null) return { lastVisit: stored, isMailed: false };
  const joined_referrals =
    member.joined_referrals - (member.referral_count - mailed.referral_count);
  return { lastVisit: { ...member, ...mailed, joined_referrals }, isMailed: true };
}

function readStored(memberId: string): JoinedMember | null {
  const stored = memberStorage.read();
  return stored?.id === memberId ? stored : null;
}

type ShareCardProps = {
  readonly member: Member;
  readonly words: LineWords | null;
  readonly reason: string | undefined;
  readonly Kit: typeof ShareKit | undefined;
};

function ShareCard({ member, words, reason, Kit }: ShareCardProps) {
  const { shareTitle: title, shareText, nextShareText } = brand.copy;
  const text = words?.isFixed ? nextShareText : shareText;
  const url = inviteLinkOf(member);
  const link = useRef<HTMLInputElement>(null);
  const [isSharing, setIsSharing] = useState(false);
  const copied = useCopied();

  function showCopied(isCopied: boolean): void {
    if (isCopied) {
      copied.raise();
      toastStore.show(toasts.linkCopied);
      return;
    }
    link.current?.focus();
    link.current?.select();
    toastStore.show(toasts.copyFailed);
  }

  async function share(picture?: File): Promise<void> {
    if (isSharing) return;
    setIsSharing(true);
    const outcome = await shareInvite({ title, text, url, ...(picture && { files: [picture] }) });
    setIsSharing(false);
    if (outcome === 'copied' || outcome === 'failed') showCopied(outcome === 'copied');
  }

  return (
    <Card title="Your invite" id="your-invite" className="share-card">
      <div className="copy-field">
        <label className="label" htmlFor="invite-link">
          Invite link
        </label>
        <input
          ref={link}
          id="invite-link"
          className="input"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          variant="secondary"
          className="copy-button"
          data-copied={copied.isRaised}
          aria-label="Copy invite link"
          onClick={async () => showCopied(await copyText(url))}
        >
          {copied.isRaised ? (
            <Check aria-hidden="true" size={20} />
          ) : (
            <Copy aria-hidden="true" size={20} />
          )}
        </Button>
      </div>
      {/* On phones it sticks to the bottom of the window until its place comes into view. */}
      <div className="share-act">
        <Button disabled={isSharing} onClick={() => share()}>
          Share & Climb the Ranks
        </Button>
      </div>
      <p className="quiet">{reason}</p>
      {Kit ? (
        <Kit member={member} message={{ title, text, url }} onShare={share} />
      ) : (
        <div className="share-kit-loading" />
      )}
    </Card>
  );
}
