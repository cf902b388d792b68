/** The status page without script. The server fills in the placeholders. */
import type { ReactNode } from 'react';
import { fillPath, imagePaths, PLAIN_QUERY, pagePaths } from '../../../contract/paths.ts';
import type { PlainStatusPageName } from '../../../contract/plain-status.ts';
import printStyles from '../../styles/print.css?url';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';
import { GhostCard } from './ghost-card.tsx';
import { InviterFields } from './inviter-card.tsx';
import { PlainTeaserCard } from './late-parts.tsx';
import { LoadFailed, MemberNotFound } from './member-view.tsx';
import { Hundred, PositionHeading, PositionNote } from './position-card.tsx';

export const plainStatusPages: Readonly<Record<PlainStatusPageName, ReactNode>> = {
  'plain-status': (
    <PageWithoutScript>
      <link rel="stylesheet" media="print" href={printStyles} />
      <PlainDrop />
      <div className="stack status-split">
        <div className="stack status-column">
          <PlainPosition />
          <Hundred position={null} />
          <PlainInvite />
          <PlainInviter />
        </div>
        <div className="stack status-column">
          <GhostCard code={placeholder('code')} draw={() => placeholder('ghost')} />
          <PlainReferrals />
        </div>
      </div>
      <div className="stack status-foot">
        <PlainTeaserCard />
      </div>
    </PageWithoutScript>
  ),
  'plain-status-not-found': (
    <PageWithoutScript>
      <MemberNotFound />
    </PageWithoutScript>
  ),
  'plain-status-failed': (
    <PageWithoutScript>
      <LoadFailed retry={<ButtonLink href={`?${PLAIN_QUERY}`}>Retry</ButtonLink>} />
    </PageWithoutScript>
  ),
};

function PlainDrop() {
  return (
    <section
      className="card plain-drop"
      aria-labelledby="drop-title"
      data-drop={placeholder('drop-number')}
    >
      <h2 id="drop-title">Drop {placeholder('drop-number')}</h2>
      <p>{placeholder('drop-text')}</p>
      <p>
        <a href={pagePaths.draw}>See the draw</a>
      </p>
    </section>
  );
}

function PlainPosition() {
  return (
    <div className="position-card">
      <PositionHeading>
        <PlainNumber text={`#${placeholder('position')}`} length={placeholder('digits')} />
      </PositionHeading>
      <PositionNote note={placeholder('position-note')} />
    </div>
  );
}

function PlainInvite() {
  return (
    <Card title="Your invite" id="your-invite" className="stack plain-invite">
      <label className="label" htmlFor="invite-link">
        Invite link
      </label>
      <input id="invite-link" className="input" readOnly value={placeholder('invite-link')} />
      <img
        className="share-qr"
        src={fillPath(imagePaths.inviteQr, placeholder('code'))}
        alt="QR code of your invite link"
        width="270"
        height="270"
      />
    </Card>
  );
}

function PlainInviter() {
  return (
    <Card
      title="Who invited you?"
      id="inviter"
      className={`inviter plain-inviter ${placeholder('inviter-form')}`}
    >
      <form className="card-form" method="post">
        <InviterFields
          name="invite"
          defaultValue={placeholder('inviter-value')}
          message={placeholder('inviter-message')}
        />
      </form>
    </Card>
  );
}

function PlainReferrals() {
  return (
    <Card
      title="Referrals"
      id="referrals"
      className="referral-card"
      aside={<Badge>Tier {placeholder('tier')}</Badge>}
    >
      <p className="referral-count">
        <PlainNumber text={placeholder('referrals')} />
        <span className="label">{placeholder('referral-noun')}</span>
      </p>
      <p className="quiet">{placeholder('next-reward')}</p>
      <p>{placeholder('unlocked')}</p>
      <p className="quiet">{placeholder('friends')}</p>
    </Card>
  );
}

/** The same markup as ui/numerals/dot-number.tsx. */
function PlainNumber({ text, length }: { text: string; length?: string }) {
  return (
    <span className="dot-number" data-length={length}>
      <span className="visually-hidden">{text}</span>
      <span className="dot-number-digit" data-digit={text} aria-hidden="true" />
    </span>
  );
}
