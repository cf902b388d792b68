import { useEffect, useState } from 'react';
import { describeLeft, writeClock } from './clock-rules.ts';
import type { MemberDrop, ShownOffer } from './member-drop.ts';
import { writeMoment } from './moments.ts';

type OfferClockProps = {
  readonly drop: Pick<MemberDrop, 'now' | 'receivedAt'>;
  readonly offer: Pick<ShownOffer, 'offered_at' | 'expires_at'>;
  readonly leftMs: number;
};

/** By the server's clock: that of the device may be wrong. */
export function useTimeLeft({ drop, offer }: Omit<OfferClockProps, 'leftMs'>): number {
  const [, setTicks] = useState(0);
  const end = Date.parse(offer.expires_at);
  const leftMs = end - drop.now - (performance.now() - drop.receivedAt);

  useEffect(() => {
    const timer = setInterval(() => setTicks((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);

  return leftMs;
}

/** Often enough that no second is skipped. */
const TICK_MS = 250;

/** The digits are for the eye; a screen reader is told at a few moments only. */
export function OfferClock({ offer, leftMs }: Omit<OfferClockProps, 'drop'>) {
  const whole = Date.parse(offer.expires_at) - Date.parse(offer.offered_at);
  const said = describeLeft(leftMs);
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
      <p className="quiet">Until {writeMoment(offer.expires_at)}, by our clock.</p>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}
