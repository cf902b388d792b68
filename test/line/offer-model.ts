/** What the offers of a drop should be: one mask at a time, in plain loops. */
import type { OfferRow } from '../../server/drop/offers/offer-store.ts';
import { type OfferStep, SIZES, type Wish } from './offer-steps.ts';

type ModelOffer = {
  entrant: number;
  size: string;
  state: OfferRow['state'];
  endsAt: number;
  isReminded: boolean;
  order: string | null;
};

const OFFER_HOURS = 12;
const REMIND_HOURS = 2;
const TAKING = ['open', 'accepted', 'redeemed'];

export class OfferModel {
  readonly stock: Map<string, number>;
  readonly #announced: ReadonlyMap<string, number>;
  /** In the order in which they were made. */
  readonly offers: ModelOffer[] = [];
  readonly #wishes: readonly Wish[];
  #hours = 0;
  #isQuiet = false;

  constructor(stock: readonly number[], wishes: readonly Wish[]) {
    this.stock = new Map(SIZES.map((size, index) => [size, stock[index] ?? 0]));
    this.#announced = new Map(this.stock);
    this.#wishes = wishes;
  }

  /** Whether the step is possible; what it does has then happened. */
  take(step: OfferStep): boolean {
    if (step.kind === 'clock') this.#hours += step.hours;
    if (step.kind === 'quiet') this.#isQuiet = step.isQuiet;
    if (step.kind === 'sweep') this.#sweep();
    if (step.kind === 'stock') return this.#setStock(step.size, step.stock);
    if (!('entrant' in step)) return true;
    const offer = this.lastOf(step.entrant);
    if (offer === undefined) return false;
    const isOpen = offer.state === 'open' && offer.endsAt > this.#hours;
    switch (step.kind) {
      case 'accept':
        if (isOpen) offer.state = 'accepted';
        return offer.state === 'accepted' || offer.state === 'redeemed';
      case 'decline':
        if (isOpen) offer.state = 'declined';
        return offer.state === 'declined';
      case 'change':
        if (!isOpen || (offer.size !== step.size && this.free(step.size) < 1)) return false;
        offer.size = step.size;
        return true;
      case 'redeem':
        if (offer.state === 'accepted' && !this.#hasPaid(step.order))
          [offer.state, offer.order] = ['redeemed', step.order];
        return offer.state === 'redeemed' && offer.order === step.order;
      case 'cancel':
        if (offer.state !== 'accepted' && offer.state !== 'redeemed') return false;
        offer.state = 'cancelled';
        return true;
      case 'reissue':
        if (offer.state !== 'cancelled' || this.free(offer.size) < 1) return false;
        this.offers.push({
          ...offer,
          state: 'accepted',
          endsAt: this.#hours,
          isReminded: false,
          order: null,
        });
        return true;
    }
  }

  lastOf(entrant: number): ModelOffer | undefined {
    return this.offers.findLast((offer) => offer.entrant === entrant);
  }

  /** What may still be offered: no more than announced, whatever the stock grew to. */
  free(size: string): number {
    const taken = this.offers.filter(
      (offer) => offer.size === size && TAKING.includes(offer.state),
    );
    return (this.#announced.get(size) ?? 0) - taken.length;
  }

  #hasPaid(order: string): boolean {
    return this.offers.some((offer) => offer.state === 'redeemed' && offer.order === order);
  }

  #setStock(size: string, stock: number): boolean {
    if (stock < (this.#announced.get(size) ?? 0)) return false;
    this.stock.set(size, stock);
    return true;
  }

  #sweep(): void {
    const open = this.offers.filter(({ state }) => state === 'open');
    for (const offer of open)
      if (offer.endsAt <= this.#hours) offer.state = 'expired';
      else if (!this.#isQuiet && offer.endsAt - REMIND_HOURS <= this.#hours)
        offer.isReminded = true;
    if (this.#isQuiet) return;
    for (const [entrant, wish] of this.#wishes.entries()) {
      if (this.lastOf(entrant) !== undefined) continue;
      const size = this.#sizeFor(wish);
      const endsAt = this.#hours + OFFER_HOURS;
      if (size !== undefined)
        this.offers.push({ entrant, size, state: 'open', endsAt, isReminded: false, order: null });
    }
  }

  #sizeFor({ chosen_size: chosen, sizes, takes_any: takesAny }: Wish): string | undefined {
    const wished = [...(chosen === null ? [] : [chosen]), ...sizes];
    const found = wished.find((size) => this.free(size) > 0);
    if (found !== undefined || !takesAny) return found;
    const most = Math.max(...SIZES.map((size) => this.free(size)));
    return most < 1 ? undefined : SIZES.find((size) => this.free(size) === most);
  }
}
