import { useEffect, useEffectEvent } from 'react';
import { writeMoment } from '../../../countdown/use-time-left.ts';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import type { ShownOffer } from './member-drop.ts';

type Checkout = NonNullable<ShownOffer['checkout']>;

/** The server makes a checkout within seconds, and sees its payment as soon. */
const LOOK_EVERY_MS = { wanted: 2_000, created: 10_000, held: 2_000 };

type PassCheckoutProps = {
  readonly checkout: Checkout;
  readonly offer: ShownOffer;
  readonly onReload: () => void;
};

/** Link and deadline of the payment for a pass. */
export function PassCheckout({ checkout, offer, onReload }: PassCheckoutProps) {
  const { state, pay_by: payBy, is_own: isOwn } = checkout;
  const isOpen = state === 'wanted' || state === 'created';
  const everyMs = state === 'held' || (isOpen && isOwn) ? LOOK_EVERY_MS[state] : null;

  useReload(everyMs, onReload);
  if (state === 'held') return <p role="status">You are drawn: your card is being charged.</p>;
  if (!isOpen) return null;
  const link = isOwn && typeof offer.code === 'string' ? offer.shop_link : null;
  return (
    <>
      {link && (
        <div className="stack pass-acts">
          <ButtonLink href={link} rel="noreferrer">
            Pay now
          </ButtonLink>
        </div>
      )}
      <div role="status">
        {isOwn && state === 'wanted' && <p>Your checkout is being made. It opens in a moment.</p>}
      </div>
      <p>
        <span>{offer.price ? `It costs ${offer.price}. Pay until` : 'Pay until'}</span>{' '}
        <strong>{writeMoment(payBy)}</strong>. After that, this pass ends and the mask goes to the
        next in the draw order.
      </p>
    </>
  );
}

/** Reloads so often, while there is something to wait for. */
export function useReload(everyMs: number | null, onReload: () => void): void {
  const reload = useEffectEvent(onReload);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(reload, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
