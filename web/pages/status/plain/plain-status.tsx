/** The status page without script. The server fills in the placeholders. */
import { brand } from '../../../../brand/brand.ts';
import { imagePaths, PLAIN_QUERY, pagePaths } from '../../../../contract/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import { PageWithoutScript, placeholder } from '../../parts/page-without-script.tsx';
import { GhostCard } from '../ghost-card.tsx';
import { PlainTeaserCard } from '../late/teaser-card.tsx';
import { Hundred } from '../position/hundred.tsx';
import { LoadFailed, MemberNotFound } from '../status-notices.tsx';

export function PlainStatus() {
  return (
    <PageWithoutScript>
      <PlainDrop />
      <div className="status-split">
        <div className="status-column">
          <PlainPosition />
          <Hundred position={null} />
          <PlainInvite />
          <PlainInviter />
        </div>
        <div className="status-column">
          <GhostCard code={placeholder('code')} draw={() => placeholder('ghost')} />
          <PlainReferrals />
        </div>
      </div>
      <div className="status-foot">
        <PlainTeaserCard />
      </div>
    </PageWithoutScript>
  );
}

export function PlainStatusNotFound() {
  return (
    <PageWithoutScript>
      <MemberNotFound />
    </PageWithoutScript>
  );
}

export function PlainStatusFailed() {
  return (
    <PageWithoutScript>
      <LoadFailed retry={<ButtonLink href={`?${PLAIN_QUERY}`}>Retry</ButtonLink>} />
    </PageWithoutScript>
  );
}

/** Hidden by its styles while no drop is under way. */
function PlainDrop() {
  return (
    <section
      className="card plain-drop"
      aria-labelledby="drop-title"
      data-drop={placeholder('drop-number')}
    >
      <p className="label">Drop {placeholder('drop-number')}</p>
      <h2 id="drop-title">{placeholder('drop-title')}</h2>
      <p>{placeholder('drop-text')}</p>
      <p>
        <a href={pagePaths.draw()}>See the draw</a>
      </p>
    </section>
  );
}

function PlainPosition() {
  return (
    <div className="position-card">
      <h1>
        <span className="position-member">{brand.specified.memberName}</span>{' '}
        <PlainNumber text={`#${placeholder('position')}`} length={placeholder('digits')} />{' '}
        <span className="position-in-line">in line</span>
      </h1>
      <p className="position-note">
        The top {brand.maskCount} get early shop access and a chance at limited masks.
      </p>
    </div>
  );
}

function PlainInvite() {
  return (
    <Card title="Your invite" id="your-invite" className="plain-invite">
      <label className="label" htmlFor="invite-link">
        Invite link
      </label>
      <input id="invite-link" className="input" readOnly value={placeholder('invite-link')} />
      <img
        className="share-qr"
        src={imagePaths.inviteQr(placeholder('code'))}
        alt="QR code of your invite link"
        width="270"
        height="270"
      />
    </Card>
  );
}

/** Hidden unless it is open. Posted to this page. */
function PlainInviter() {
  return (
    <Card
      title="Who invited you?"
      id="inviter"
      className={`plain-inviter ${placeholder('inviter-form')}`}
    >
      <form className="card-form" method="post">
        <div className="field">
          <label className="label" htmlFor="invite">
            Their link or code
          </label>
          <input
            id="invite"
            name="invite"
            className="input"
            autoComplete="off"
            defaultValue={placeholder('inviter-value')}
            aria-describedby="invite-message"
          />
          <p id="invite-message" className="field-message">
            {placeholder('inviter-message')}
          </p>
        </div>
        <button type="submit" className="button button-secondary">
          Credit your friend
        </button>
        <p className="quiet">Within 24 hours of joining. It moves you up, too.</p>
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
    </Card>
  );
}

/** A number in dot numerals, and in plain text for screen readers: ui/numerals/dot-number.tsx. */
function PlainNumber({ text, length }: { text: string; length?: string }) {
  return (
    <span className="dot-number" data-length={length}>
      <span className="visually-hidden">{text}</span>
      <span className="dot-number-digit" data-digit={text} aria-hidden="true" />
    </span>
  );
}
