import { type Ref, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import {
  actOnOffer,
  loadMemberDrop,
  type MemberDrop,
  type OfferAct,
  type ShownOffer,
} from './member-drop.ts';
import { OfferClock, useTimeLeft } from './offer-clock.tsx';

type OfferCardProps = {
  readonly memberId: string;
  readonly drop: MemberDrop;
  readonly offer: ShownOffer;
  readonly heading: Ref<HTMLHeadingElement>;
  /** Called with the drop as it is after an act. */
  readonly onNews: (drop: MemberDrop) => void;
  /** Called when the time is over. */
  readonly onReload: () => void;
};

/** An open offer: how long it is open, and what the member can do. */
export function OfferCard({ memberId, drop, offer, heading, onNews, onReload }: OfferCardProps) {
  const leftMs = useTimeLeft({ drop, offer });
  const isOver = leftMs <= 0;
  const reload = useRef(onReload);
  reload.current = onReload;

  useEffect(() => {
    if (isOver) reload.current();
  }, [isOver]);

  return (
    <section className="card drop-card offer-card" aria-labelledby="drop-title">
      <div className="drop-words">
        <p className="label">Drop {drop.place.drop}: your offer</p>
        <h2 id="drop-title" ref={heading} tabIndex={-1}>
          One mask is yours to take
        </h2>
        <p className="offer-size">
          <span className="label">Size</span> <strong>{offer.size}</strong>
        </p>
      </div>
      <OfferClock offer={offer} leftMs={leftMs} />
      {drop.canAct ? (
        <OfferActs memberId={memberId} drop={drop} offer={offer} isOver={isOver} onNews={onNews} />
      ) : (
        <p className="offer-look">
          {drop.linkProblem} Open the link in your mail to answer: this page alone only shows the
          offer, because members share their pages.
        </p>
      )}
    </section>
  );
}

type OfferActsProps = Pick<OfferCardProps, 'memberId' | 'drop' | 'offer' | 'onNews'> & {
  readonly isOver: boolean;
};

function OfferActs({ memberId, drop, offer, isOver, onNews }: OfferActsProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const [isDeclining, setIsDeclining] = useState(false);
  const question = useRef<HTMLParagraphElement>(null);
  const declineButton = useRef<HTMLButtonElement>(null);
  const wasDeclining = useRef(false);

  // The pressed button makes room for the question, and the question for the button.
  useEffect(() => {
    if (isDeclining) question.current?.focus();
    else if (wasDeclining.current) declineButton.current?.focus();
    wasDeclining.current = isDeclining;
  }, [isDeclining]);

  async function act(name: string, step: OfferAct): Promise<void> {
    if (busy !== null) return;
    setBusy(name);
    setMessage('');
    try {
      onNews(await actOnOffer(memberId, drop.place, step));
      if (step.kind === 'size') setMessage(`Your size is ${step.size} now.`);
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
      // What was refused may show why: the stock of a size, or the end of the offer.
      await loadMemberDrop(memberId).then(onNews, () => undefined);
    } finally {
      setBusy(null);
    }
  }

  const isOff = isOver || busy !== null;
  return (
    <div className="offer-acts">
      {isDeclining ? (
        <>
          <p ref={question} tabIndex={-1}>
            <strong>Give this mask up?</strong> It goes to the next in the draw order, and you
            cannot take it back.
          </p>
          <div className="offer-choices">
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
            Accept in {offer.size}
          </Button>
          {offer.free_sizes.length > 0 && (
            <fieldset className="offer-sizes">
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
