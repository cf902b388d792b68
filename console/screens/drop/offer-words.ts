import type { OfferFilter } from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import { formatAmount, formatMoment } from '../../ui/formats.ts';

/** State as owners read it: what is paid and cannot be sent yet stands out. */
export function filterOf({ state, has_address }: ListedOffer): OfferFilter {
  return state === 'paid' && !has_address ? 'unaddressed' : state;
}

export function momentOf(offer: ListedOffer): string {
  if (offer.state === 'open') return offer.expires_at;
  return offer.sent_at ?? offer.handed_at ?? offer.paid_at ?? offer.settled_at ?? offer.offered_at;
}

type Quiet = Pick<DropFacts, 'is_quiet' | 'terms' | 'sizes' | 'following'>;

export function describeQuiet({ is_quiet, terms, sizes, following }: Quiet): string | null {
  const held = sizes.reduce((sum, size) => sum + size.held, 0);
  const waiting = Math.min(held, following);
  if (!is_quiet || terms === null || waiting === 0) return null;
  const until = `Quiet hours until ${terms.quiet_until} (${terms.time_zone})`;
  const masks = formatAmount(waiting, 'mask waits', 'masks wait');
  return `${until}: ${masks} to be offered to the next in the draw order.`;
}

type Wait = Pick<DropFacts, 'waits_for' | 'paused_at' | 'unmailed'>;

export function describeWait({ waits_for: cause, paused_at: at, unmailed }: Wait): string | null {
  const waiting = `${formatAmount(unmailed, 'offer waits', 'offers wait')} for the mail`;
  if (cause === 'mail')
    return (
      'The mail server does not answer, so no mask is offered.' +
      (unmailed === 0 ? '' : ` ${waiting}: their time has not begun.`)
    );
  if (cause !== null && at !== null) {
    const why =
      cause === 'clock' ? ': the clock of the database leapt. Set it right, and then resume' : '';
    const since = `Offering is paused since ${formatMoment(at)}${why}.`;
    return `${since} No mask is offered, and no offer ends.`;
  }
  return unmailed === 0 ? null : `${waiting}: their time begins when it has left.`;
}
