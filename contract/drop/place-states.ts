import type { DropPlaceView } from './drop-views.ts';
import type { LookedAtOffer } from './offer-views.ts';
import { type CheckoutState, isPass } from './states.ts';

/** What a drop is for one of its members. */
type ShownState =
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
): ShownState | null {
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
function isUnpaid(checkout: CheckoutState | undefined): boolean {
  return checkout === 'expired' || checkout === 'releasing' || checkout === 'released';
}
