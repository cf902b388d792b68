/** What the offers of a drop should be: one mask at a time, in plain loops. */
import type { OfferRow } from '../../server/db/schema/feature-tables.ts';
import { type OfferStep, SIZES, type Wish } from './offer-steps.ts';

type ModelOffer = {
  entrant: number;
  size: string;
  state: OfferRow['state'];
  /** Null until the mail was handed over; then begun at this hour, reminded and ended at these. */
  times: { begun: number; remind: number; end: number } | null;
  remindedAt: number | null;
  order: string | null;
};

const OFFER_HOURS = 12;
const REMIND_HOURS = 2;
const EXTENDED_HOURS = 5;
/** Steps take a moment, so that what came first is known. */
const STEP_HOURS = 1e-6;
/** An offer begins on the minute after its mail. */
const BEGINS_AFTER_HOURS = 0.02;
const TAKING = ['open', 'accepted', 'paid'];

export class OfferModel {
  readonly stock: Map<string, number>;
  readonly #announced: ReadonlyMap<string, number>;
  /** In the order in which they were made. */
  readonly offers: ModelOffer[] = [];
  readonly #wishes: readonly Wish[];
  #hours = 0;
  #isQuiet = false;
  #pausedAt: number | null = null;

  constructor(stock: readonly number[], wishes: readonly Wish[]) {
    this.stock = new Map(SIZES.map((size, index) => [size, stock[index] ?? 0]));
    this.#announced = new Map(this.stock);
    this.#wishes = wishes;
  }

  /** Whether the step is possible; what it does has then happened. */
  take(step: OfferStep): boolean {
    this.#hours += STEP_HOURS;
    if (step.kind === 'clock') this.#hours += step.hours;
    if (step.kind === 'quiet') this.#isQuiet = step.isQuiet;
    if (step.kind === 'sweep') this.#sweep();
    if (step.kind === 'stock') return this.#setStock(step.size, step.stock);
    if (step.kind === 'mail') return this.#handOver();
    if (step.kind === 'pause') return this.#pause();
    if (step.kind === 'resume') return this.#resume();
    if (step.kind === 'extend') return this.#extend();
    if (step.kind === 'by-hand') return this.#offerByHand(step.entrant);
    if (!('entrant' in step)) return true;
    const offer = this.lastOf(step.entrant);
    if (offer === undefined) return false;
    const isOpen = this.#isOpen(offer);
    switch (step.kind) {
      case 'accept':
        if (isOpen) offer.state = 'accepted';
        return offer.state === 'accepted' || offer.state === 'paid';
      case 'decline':
        if (isOpen) offer.state = 'declined';
        return offer.state === 'declined';
      case 'change':
        if (!isOpen || (offer.size !== step.size && this.free(step.size) < 1)) return false;
        offer.size = step.size;
        return true;
      case 'redeem':
        if (offer.state === 'accepted' && !this.#hasPaid(step.order))
          [offer.state, offer.order] = ['paid', step.order];
        return offer.state === 'paid' && offer.order === step.order;
      case 'cancel':
        if (offer.state !== 'accepted' && offer.state !== 'paid') return false;
        offer.state = 'cancelled';
        return true;
      case 'reissue':
        if (offer.state !== 'cancelled' || this.free(offer.size) < 1) return false;
        this.offers.push({
          ...offer,
          state: 'accepted',
          times: null,
          remindedAt: null,
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
    return this.offers.some((offer) => offer.state === 'paid' && offer.order === order);
  }

  #setStock(size: string, stock: number): boolean {
    if (stock < (this.#announced.get(size) ?? 0)) return false;
    this.stock.set(size, stock);
    return true;
  }

  #sweep(): void {
    if (this.#pausedAt !== null) return;
    for (const offer of this.offers.filter(({ state }) => state === 'open')) {
      if (!this.#isOpen(offer)) offer.state = 'expired';
      else if (!this.#isQuiet && offer.times !== null && offer.times.remind <= this.#hours)
        offer.remindedAt ??= this.#hours;
    }
    if (this.#isQuiet) return;
    for (const [entrant, wish] of this.#wishes.entries()) {
      if (this.lastOf(entrant) !== undefined) continue;
      const size = this.#sizeFor(wish);
      if (size !== undefined) this.#offer(entrant, size);
    }
  }

  #offer(entrant: number, size: string): void {
    const fresh = { state: 'open', times: null, remindedAt: null, order: null } as const;
    this.offers.push({ entrant, size, ...fresh });
  }

  #isOpen({ state, times }: ModelOffer): boolean {
    const isOver = times !== null && times.end <= this.#hours && this.#pausedAt === null;
    return state === 'open' && !isOver;
  }

  #begun() {
    return this.offers.flatMap((offer) =>
      this.#isOpen(offer) && offer.times !== null ? [{ offer, times: offer.times }] : [],
    );
  }

  /** A reminder later than the last one comes again. */
  #setEnd(offer: ModelOffer, end: number, from = this.#hours): void {
    const remind = end - Math.min(REMIND_HOURS, (end - from) / 2);
    offer.times = { begun: offer.times?.begun ?? this.#hours, remind, end };
    if (offer.remindedAt !== null && offer.remindedAt < remind) offer.remindedAt = null;
  }

  #handOver(): boolean {
    if (this.#isQuiet) return false;
    const from = this.#hours + BEGINS_AFTER_HOURS;
    for (const offer of this.offers.filter(({ state, times }) => state === 'open' && !times))
      this.#setEnd(offer, from + OFFER_HOURS, from);
    return true;
  }

  #pause(): boolean {
    if (this.#pausedAt !== null) return false;
    this.#pausedAt = this.#hours;
    return true;
  }

  #resume(): boolean {
    if (this.#pausedAt === null || this.#isQuiet) return false;
    for (const { offer, times } of this.#begun()) {
      const left = Math.max(0, times.end - this.#pausedAt);
      this.#setEnd(offer, this.#hours + (times.begun > this.#pausedAt ? OFFER_HOURS : left));
    }
    this.#pausedAt = null;
    return true;
  }

  #extend(): boolean {
    if (this.#isQuiet) return false;
    const begun = this.#begun();
    for (const { offer, times } of begun) this.#setEnd(offer, times.end + EXTENDED_HOURS);
    return begun.length > 0;
  }

  #offerByHand(entrant: number): boolean {
    const wish = this.#wishes[entrant];
    const size = wish && this.#sizeFor(wish);
    const has = this.offers.some((one) => one.entrant === entrant && TAKING.includes(one.state));
    if (size === undefined || has) return false;
    this.#offer(entrant, size);
    return true;
  }

  #sizeFor({ chosen_size: chosen, sizes, takes_any: takesAny }: Wish): string | undefined {
    const wished = [...(chosen === null ? [] : [chosen]), ...sizes];
    const found = wished.find((size) => this.free(size) > 0);
    if (found !== undefined || !takesAny) return found;
    const most = Math.max(...SIZES.map((size) => this.free(size)));
    return most < 1 ? undefined : SIZES.find((size) => this.free(size) === most);
  }
}
