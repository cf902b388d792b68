/** Faults of a network and of what is behind it, for fakes of shops. */

export class Killed extends Error {}

export const FAULTS = ['429', '500', '500-done', 'lost', 'lost-done', 'kill', 'kill-done'] as const;
export type Fault = (typeof FAULTS)[number];

export type Answer = { readonly status: number; readonly body: unknown };

export type FarPayment = {
  readonly reference: string;
  readonly offerId: string | null;
  readonly cents: number;
  readonly currency: string;
  readonly refundedCents: number;
  readonly disputedCents: number;
  readonly isRefunded: boolean;
  /** It is sent, or was disputed: then it cannot be given back. */
  readonly isStuck: boolean;
  /** It came after its checkout had been ended. */
  readonly isLate: boolean;
};

/** What happens to money without us: in the dashboard of the vendor, or at a bank. */
export const MOVES = ['refund', 'part', 'dispute', 'win', 'fail', 'capture'] as const;
export type Move = (typeof MOVES)[number];

/**
 * How somebody pays: as the till wants it, by a promise of the bank or a transfer to come, for what
 * is sent at once (also before its money is there), or less, or in another currency.
 */
export const WAYS = ['plain', 'promised', 'transfer', 'sent', 'early', 'less', 'dollars'] as const;
export type Way = (typeof WAYS)[number];

/** `isRefusing`: its bank refuses the capture of what it holds. */
export type Card = {
  readonly fingerprint: string | null;
  readonly funding: 'credit' | 'debit' | 'prepaid';
  readonly isRefusing?: boolean;
};

/** Answers calls, each with the next of the faults that wait. */
export abstract class FakeFarSide {
  readonly faults: (Fault | 'none')[] = [];
  calls = 0;
  /** The end of its id at the vendor. */
  protected readonly account: string;
  protected made: number;

  /** `made`: ids of what is made here come after it, and so are apart from those of others. */
  constructor(account = '1', made = 0) {
    this.account = account;
    this.made = made;
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input));
    const fault = this.faults.shift() ?? 'none';
    this.calls += 1;
    if (fault === 'kill') throw new Killed();
    if (fault === 'lost') throw new TypeError('fetch failed');
    if (fault === '429') return this.respond(this.throttled());
    const body = typeof init.body === 'string' ? init.body : '';
    const headers = new Headers(init.headers);
    const answer = this.answer(init.method ?? 'GET', url, { body, headers, fault });
    if (fault === 'kill-done') throw new Killed();
    if (fault === 'lost-done') throw new TypeError('fetch failed');
    return this.respond(answer);
  };

  protected abstract answer(
    method: string,
    url: URL,
    request: { body: string; headers: Headers; fault: Fault | 'none' },
  ): Answer;

  protected throttled(): Answer {
    return { status: 429, body: { error: { message: 'Too many requests' } } };
  }

  /** Somebody pays at this address; false when it does not take a payment any more. */
  abstract pay(link: string, way?: Way, card?: Card): boolean;

  /** What cards hold, by the passes that it would pay. */
  holds(): readonly { readonly id: string; readonly offerId: string | null }[] {
    return [];
  }

  /** A payment that the owner took by hand, or of other goods; returns its reference. */
  abstract payByHand(): string;

  /** Payments that only look like ones of this pass; returns their references. */
  abstract forge(offerId: string): string[];

  /** Other lines open checkouts in the same account; returns their ids. */
  abstract sellBeside(): string[];

  /** The newest payment with this offer moves; false if there is none that can. */
  abstract move(offerId: string, how: Move): boolean;

  /** Checkouts that can be paid. */
  abstract open(): readonly { readonly id: string }[];

  abstract payments(): FarPayment[];

  /** Moves all its times back, which sets its clock forward. */
  abstract passMs(ms: number): void;

  private respond({ status, body }: Answer): Response {
    const headers = { 'content-type': 'application/json', 'request-id': 'req_1' };
    return new Response(JSON.stringify(body), { status, headers });
  }
}
