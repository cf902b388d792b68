import type { TillTest } from '../../../contract/operator/drop/till.ts';
import type { RewardAddress } from '../../../contract/reward-address.ts';
import { DAY_MS } from '../../durations.ts';

export const UNLIMITED_MS = 60 * DAY_MS;

export type TillContext = {
  readonly publicUrl: string;
  readonly noticesUrl: string;
  readonly brandName: string;
  readonly fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
};

type WantedCheckout = {
  readonly offerId: string;
  readonly memberId: string;
  /** Idempotency key: the same for every repetition of one attempt. */
  readonly key: string;
  readonly size: string;
  readonly endsAt: Date;
  readonly email: string | null;
};

export type Payment = {
  readonly id: string;
  readonly reference: string;
  /** Null unless a checkout of ours took it. */
  readonly offerId: string | null;
  readonly cents: number;
  readonly currency: string;
  readonly isRefunded: boolean;
  /** Where the till was told to send the mask. */
  readonly address?: RewardAddress | null;
};

/** `pending`: a payment is under way. */
export type FarCheckout = {
  readonly id: string;
  readonly offerId: string | null;
  readonly state: 'open' | 'pending' | 'paid' | 'ended';
  readonly payment: Payment | null;
  readonly createdAt: Date;
};

/** All calls are idempotent, and throw a TillError. */
export type Till = {
  /** Whether it can say that a pass is not paid. If not, no pass ends by itself. */
  readonly tellsUnpaid: boolean;
  readonly longestMs: number;
  create(wanted: WantedCheckout): Promise<{ readonly id: string; readonly link: string | null }>;
  read(id: string): Promise<FarCheckout>;
  /** Ends it unless it is paid, and returns how it stands afterwards. */
  end(id: string): Promise<FarCheckout>;
  refund(payment: Pick<Payment, 'id'> & { readonly key: string }): Promise<void>;
  list(since: Date): Promise<{ checkouts: FarCheckout[]; payments: Payment[] }>;
  /** Checkout or offer of a signed notice, '' for another one; null for a wrong signature. */
  readNotice(headers: Readonly<Record<string, unknown>>, body: Buffer): string | null;
  check(sizes: readonly string[]): Promise<TillTest['findings']>;
};

type TillErrorOptions = {
  readonly isAnswer?: boolean;
  readonly retryAfterMs?: number | null;
  readonly code?: string | null;
  readonly cause?: unknown;
};

export class TillError extends Error {
  /** Whether the till answered, so that a repetition with the same key is answered the same. */
  readonly isAnswer: boolean;
  readonly retryAfterMs: number | null;
  readonly code: string | null;

  constructor(
    sentence: string,
    { isAnswer = false, retryAfterMs = null, code = null, cause }: TillErrorOptions = {},
  ) {
    super(sentence, { cause });
    this.name = 'TillError';
    this.isAnswer = isAnswer;
    this.retryAfterMs = retryAfterMs;
    this.code = code;
  }
}
