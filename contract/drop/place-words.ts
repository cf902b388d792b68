import type { DropPlaceView, DropWords, Edition } from './drop-views.ts';
import type { LookedAtOffer } from './offer-views.ts';
import { type CheckoutState, isPass, type OfferState, type RefundState } from './states.ts';

export type DropState =
  | 'offered'
  | 'pass'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'unpaid'
  | 'frozen'
  | 'not-listed'
  | 'chosen'
  | 'waiting'
  | 'over';

type Offer = NonNullable<LookedAtOffer['offer']>;

/** A pass counts before a later drop; another offer ends when a later drop is frozen. */
export function shownDrop<One extends Pick<Offer, 'drop' | 'state'>>(
  place: DropPlaceView,
  offer: One | null,
): { place: DropPlaceView; offer: One | null } {
  if (offer === null || offer.drop === place.drop) return { place, offer };
  // Whoever holds an earlier mask may enter, too.
  if (place.state === 'frozen' && place.card_entry !== null) return { place, offer: null };
  if (stateOf(place, offer) !== 'pass' && place.state !== 'open') return { place, offer: null };
  const unknown = { position: null, place: null, size: null, edition: null, odds: null };
  const closed = { drop: offer.drop, state: 'closed', card_entry: null } as const;
  return { place: { ...place, ...unknown, ...closed }, offer };
}

export function stateOf(
  place: Pick<DropPlaceView, 'state' | 'position' | 'place' | 'size'>,
  offer: (Pick<Offer, 'state'> & Partial<Pick<Offer, 'checkout'>>) | null,
): DropState | null {
  if (offer !== null) {
    if (offer.state === 'open') return 'offered';
    if (offer.state === 'cancelled' && isUnpaid(offer.checkout?.state)) return 'unpaid';
    return isPass(offer.state) ? 'pass' : offer.state;
  }
  if (place.state === 'open') return null;
  if (place.state === 'closed') return 'over';
  if (place.position === null) return 'not-listed';
  if (place.place === null) return 'frozen';
  return place.size === null ? 'waiting' : 'chosen';
}

/** Its time to pay is over, or its card was not charged. */
export function isUnpaid(checkout: CheckoutState | undefined): boolean {
  return checkout === 'expired' || checkout === 'releasing' || checkout === 'released';
}

export function editionWords(
  { number, masks }: Edition,
  language: string,
): readonly [before: string, number: string, after: string] {
  const digits = String(masks).length;
  return ['Mask', String(number).padStart(digits, '0'), `of ${masks.toLocaleString(language)}`];
}

/** How far the mask of a pass has come, for its holder; '' before it is known to be paid. */
export function passWords(state: OfferState, refund: RefundState | null = null): string {
  switch (state) {
    case 'paid':
      return refund === null
        ? 'Paid. It is sent to you, or handed over at the door for this pass.'
        : `${refundWords(refund)} So this pass brings no mask. Ask us if that surprises you.`;
    case 'handed_over':
      return 'You have your mask.';
    case 'sent':
      return 'Your mask is on its way.';
    default:
      return '';
  }
}

/** What became of the payment for a pass; '' without one, and where the pass stands. */
export function refundWords(refund: RefundState | null): string {
  if (refund === null) return '';
  return refund === 'done' ? 'What you paid was given back.' : 'What you paid goes back to you.';
}

/** What accepting an offer costs, and until when; '' where only the shop says it. */
export function termsWords({
  price,
  pay_hours: hours,
}: Pick<Offer, 'price' | 'pay_hours'>): string {
  return [
    ...(price === null ? [] : [`It costs ${price}.`]),
    ...(hours === null ? [] : [`Once you accept, you have ${countOf(hours, 'hour')} to pay.`]),
  ].join(' ');
}

export const STAYS = 'Your place in the line and your rewards stay.';

/** Null unless an offer, or a pass, has ended. `time`: when the offer ended. */
export function endedWords(
  state: DropState | null,
  { isDropOver, time }: { readonly isDropOver: boolean; readonly time: string },
): DropWords | null {
  switch (state) {
    case 'declined':
      return {
        title: 'You declined',
        text: isDropOver
          ? `You left your mask to somebody else, and this drop is over. ${STAYS}`
          : `Your mask goes to the next in the draw order. ${STAYS}`,
      };
    case 'expired':
      return {
        title: 'Time ran out',
        text: isDropOver
          ? `Your offer ended without an answer, and this drop is over. ${STAYS}`
          : `Your offer ended at ${time} without an answer, so the mask goes to the next in ` +
            `the draw order. ${STAYS}`,
      };
    case 'cancelled':
      return {
        title: 'This pass was cancelled',
        text: 'It no longer opens the shop. If that surprises you, reply to our mail.',
      };
    case 'unpaid':
      return {
        title: 'Not paid in time',
        text: `This pass ended without a payment, so its mask goes to somebody else. ${STAYS}`,
      };
    default:
      return null;
  }
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Null: the words of an open line are true. */
export type LineWords = {
  /** Null after the freeze for who joined since, whose place still changes. */
  readonly note: string | null;
  readonly invite: string | null;
  readonly isFixed: boolean;
  readonly nextDrop: string;
  readonly meter: { readonly text: string; readonly position: number | null } | null;
};

export function lineWordsOf(
  place: DropPlaceView,
  offer: Pick<Offer, 'state'> | null,
): LineWords | null {
  const isPass = stateOf(place, offer) === 'pass';
  const isFixed = place.state !== 'open' && place.state !== 'closed';
  if (!isPass && place.state === 'open') return null;
  const { position, drop } = place;
  const nextDrop = `drop ${drop + 1}`;
  const fixed = { isFixed, nextDrop, invite: inviteWords(place, isFixed) };
  if (isPass) {
    const note = 'Your mask does not depend on your place in the line.';
    return { ...fixed, note, meter: { text: 'One is yours', position } };
  }
  if (!isFixed) return { ...fixed, note: `Drop ${drop} is over.`, meter: null };
  if (position === null)
    return { ...fixed, note: null, meter: { text: `Counts for ${nextDrop}`, position } };
  const note = `The order of drop ${drop} is fixed.`;
  return { ...fixed, note, meter: { text: `Frozen at #${position}`, position } };
}

function inviteWords(place: DropPlaceView, isFixed: boolean): string | null {
  if (place.is_paused) return 'Nobody can join now. Your invite works again once joining is open.';
  if (!isFixed || place.position === null) return null;
  return (
    `Friends no longer change the order of drop ${place.drop}. They count for rewards and the ` +
    'next drop.'
  );
}
