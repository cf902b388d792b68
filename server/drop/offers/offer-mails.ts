import type { OfferMailKind } from '../../../contract/mails.ts';
import type { NewsRequest } from '../../notifications/delivery/queue.ts';
import type { OfferRow } from './make-offers.ts';

/** A mail to the member whose offer it is. */
export function mailAbout(
  kind: OfferMailKind,
  { id: offerId, member_id: memberId }: Pick<OfferRow, 'id' | 'member_id'>,
): NewsRequest {
  return { kind, memberId, offerId };
}
