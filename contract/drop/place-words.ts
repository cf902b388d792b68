/** Which state of the drop a member sees, in which words: on their page with script and without. */
import type { DropPlaceView } from './drop-views.ts';
import type { LookedAtOffer } from './offer-views.ts';

export type DropState =
  | 'offered'
  | 'pass'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'frozen'
  | 'not-listed'
  | 'chosen'
  | 'waiting'
  | 'over';

/** An offer counts first: a pass outlives its drop. */
export function stateOf(
  place: DropPlaceView,
  offer: Pick<NonNullable<LookedAtOffer['offer']>, 'state'> | null,
): DropState | null {
  if (offer !== null) {
    if (offer.state === 'open') return 'offered';
    return offer.state === 'accepted' || offer.state === 'redeemed' ? 'pass' : offer.state;
  }
  if (place.state === 'open') return null;
  if (place.state === 'closed') return 'over';
  if (place.position === null) return 'not-listed';
  if (place.place === null) return 'frozen';
  return place.size === null ? 'waiting' : 'chosen';
}

type Words = { readonly title: string; readonly text: string };

export function wordsOf(
  state: Exclude<DropState, 'offered' | 'pass'>,
  { place, time }: { place: DropPlaceView; time: string },
): Words {
  const stays = 'Your place in the line and your rewards stay.';
  switch (state) {
    case 'frozen':
      return {
        title: 'The order is fixed',
        text:
          'Friends and points no longer change it for this drop. The masks are given out ' +
          'next, and everybody can check the draw.',
      };
    case 'not-listed':
      return {
        title: 'The order is fixed',
        text: `You are not on the list for this drop, which ends before your place. ${stays}`,
      };
    case 'chosen':
      return {
        title: 'You are chosen',
        text:
          `The draw gave you a mask in size ${place.size}. Your offer comes by mail and on this ` +
          'page. It is open for a limited time, so keep an eye on both.',
      };
    case 'waiting':
      return {
        title: 'Not chosen yet',
        text:
          `You are number ${place.place} in the draw order. Masks that nobody takes go to the ` +
          'next in that order: if one comes to you, we mail you at once.',
      };
    case 'declined':
      return {
        title: 'You declined',
        text:
          place.state === 'closed'
            ? `You left your mask to somebody else, and this drop is over. ${stays}`
            : `Your mask goes to the next in the draw order. ${stays}`,
      };
    case 'expired':
      return {
        title: 'Time ran out',
        text:
          place.state === 'closed'
            ? `Your offer ended without an answer, and this drop is over. ${stays}`
            : `Your offer ended at ${time} without an answer, so the mask goes to the next in ` +
              `the draw order. ${stays}`,
      };
    case 'cancelled':
      return {
        title: 'This pass was cancelled',
        text: 'It no longer opens the shop. If that surprises you, reply to our mail.',
      };
    case 'over':
      return {
        title: 'This drop is over',
        text:
          place.position === null
            ? `Its list ended before your place. ${stays}`
            : `No mask came to you this time. ${stays}`,
      };
  }
}
