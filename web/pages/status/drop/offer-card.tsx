import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { termsWords } from '../../../../brand/drop-words.ts';
import type { Member } from '../../../../contract/schemas.ts';
import { describeLeft, writeClock } from '../../../countdown/clock-rules.ts';
import { useTimeLeft, writeMoment } from '../../../countdown/use-time-left.ts';
import { ArtLight } from '../../../ui/art-light.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { InlineArt } from '../../../ui/inline-art.tsx';
import { useTask } from '../../../ui/use-task.ts';
import { drawOnce } from '../ghost-card.tsx';
import {
  actOnOffer,
  loadMemberDrop,
  type MemberDrop,
  mailFreshLink,
  type OfferAct,
  type ShownOffer,
} from './member-drop.ts';

type OfferCardProps = {
  readonly member: Pick<Member, 'id' | 'referral_code'>;
  readonly drop: MemberDrop;
  readonly offer: ShownOffer;
  readonly heading: Ref<HTMLHeadingElement>;
  readonly onNews: (drop: MemberDrop) => void;
  readonly onReload: () => void;
};

export function OfferCard({ member, drop, offer, heading, onNews, onReload }: OfferCardProps) {
  const leftMs = useTimeLeft(offer.expires_at, drop);
  const isOver = leftMs <= 0;
  const reload = useEffectEvent(onReload);

  useEffect(() => {
    if (isOver) reload();
  }, [isOver]);

  return (
    <section className="card stack drop-card offer-card" aria-labelledby="drop-title">
      <div className="drop-words">
        <p className="label">{`Drop ${drop.place.drop}: your offer`}</p>
        <h2 id="drop-title" ref={heading} tabIndex={-1}>
          {'One\u00a0mask is\u00a0yours to\u00a0take'}
        </h2>
        <p className="offer-size">
          <span className="label">Size</span> <strong>{offer.size}</strong>
        </p>
        {termsWords(offer) && <p>{termsWords(offer)}</p>}
      </div>
      <div className="pass-face">
        <InlineArt id="offer-ghost" draw={() => drawOnce(member.referral_code)}>
          <ArtLight />
        </InlineArt>
      </div>
      <OfferClock offer={offer} leftMs={leftMs} />
      {drop.canAct ? (
        <OfferActs memberId={member.id} drop={drop} offer={offer} isOver={isOver} onNews={onNews} />
      ) : (
        <div className="stack offer-acts">
          <FreshLink
            memberId={member.id}
            problem={drop.linkProblem}
            use="answer: this page alone only shows the offer, because members share their pages"
          />
        </div>
      )}
    </section>
  );
}

type FreshLinkProps = {
  readonly memberId: string;
  readonly problem: string;
  /** What a member can do by the link. */
  readonly use: string;
};

export function FreshLink({ memberId, problem, use }: FreshLinkProps) {
  const { busy, message, perform } = useTask();

  async function mail(): Promise<string> {
    await mailFreshLink(memberId);
    return 'We have mailed you a fresh link.';
  }

  return (
    <>
      <p>{`${problem} Open the link in your mail to ${use}.`}</p>
      <Button variant="secondary" isBusy={busy !== null} onClick={() => perform('mail', mail)}>
        Mail me a fresh link
      </Button>
      <p className="offer-message" role="status">
        {message}
      </p>
    </>
  );
}

type OfferActsProps = Pick<OfferCardProps, 'drop' | 'offer' | 'onNews'> & {
  readonly memberId: string;
  readonly isOver: boolean;
};

function OfferActs({ memberId, drop, offer, isOver, onNews }: OfferActsProps) {
  const { busy, message, perform } = useTask();
  const [isDeclining, setIsDeclining] = useState(false);
  const question = useRef<HTMLParagraphElement>(null);
  const declineButton = useRef<HTMLButtonElement>(null);
  const wasDeclining = useRef(false);

  // The pressed button gives way to the question, and the question to the button.
  useEffect(() => {
    if (isDeclining) question.current?.focus();
    else if (wasDeclining.current) declineButton.current?.focus();
    wasDeclining.current = isDeclining;
  }, [isDeclining]);

  async function take(step: OfferAct): Promise<string | undefined> {
    onNews(await actOnOffer(memberId, drop.place, step));
    return step.kind === 'size' ? `Your size is ${step.size} now.` : undefined;
  }

  // The fresh drop may show why: the stock of a size, or the end of the offer.
  const reload = () => loadMemberDrop(memberId).then(onNews, () => undefined);
  const act = (name: string, step: OfferAct) => perform(name, () => take(step), reload);

  const isOff = isOver || busy !== null;
  return (
    <div className="stack offer-acts">
      {isDeclining ? (
        <>
          <p ref={question} tabIndex={-1}>
            <strong>Give this mask up?</strong> It goes to the next in the draw order, and you
            cannot take it back.
          </p>
          <div className="stack offer-choices">
            <Button
              variant="secondary"
              className="offer-give-up"
              disabled={isOff}
              isBusy={busy === 'decline'}
              onClick={() => act('decline', { kind: 'decline' })}
            >
              Yes, decline
            </Button>
            <Button variant="secondary" disabled={isOff} onClick={() => setIsDeclining(false)}>
              Keep my offer
            </Button>
          </div>
        </>
      ) : (
        <>
          <Button
            disabled={isOff}
            isBusy={busy === 'accept'}
            onClick={() => act('accept', { kind: 'accept' })}
          >
            {`Accept in ${offer.size}`}
          </Button>
          {offer.free_sizes.length > 0 && (
            <fieldset className="stack offer-sizes">
              <legend className="label">Or take another size, while stock lasts</legend>
              {offer.free_sizes.map((size) => (
                <Button
                  key={size}
                  variant="secondary"
                  disabled={isOff}
                  isBusy={busy === size}
                  onClick={() => act(size, { kind: 'size', size })}
                >
                  {size}
                </Button>
              ))}
            </fieldset>
          )}
          <button
            ref={declineButton}
            type="button"
            className="offer-decline"
            disabled={isOff}
            onClick={() => setIsDeclining(true)}
          >
            Decline
          </button>
        </>
      )}
      <p className="offer-message" role="status">
        {message}
      </p>
    </div>
  );
}

function OfferClock({ offer, leftMs }: { offer: ShownOffer; leftMs: number }) {
  const whole = Date.parse(offer.expires_at) - Date.parse(offer.offered_at);
  return (
    <div className="offer-clock">
      <p className="label">Time left</p>
      <p className="offer-digits" aria-hidden="true">
        {writeClock(leftMs)
          .split(':')
          .map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: hours, minutes and seconds.
            <span key={index}>{group}</span>
          ))}
      </p>
      <progress className="progress" aria-hidden="true" max={whole} value={Math.max(0, leftMs)} />
      <p className="quiet">{`Until ${writeMoment(offer.expires_at)}, by our clock.`}</p>
      <p className="visually-hidden" role="status">
        {describeLeft(leftMs)}
      </p>
    </div>
  );
}
