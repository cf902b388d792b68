import type { TillTest } from '../../../contract/operator/drop/till.ts';
import type { RewardAddress } from '../../../contract/reward-address.ts';
import type { Database } from '../../db/database.ts';
import { DAY_MS } from '../../durations.ts';
import type { Cost, Price } from '../offers/offer-rules.ts';
import type { Account, Identity } from './account-store.ts';

export const UNLIMITED_MS = 60 * DAY_MS;

export type TillContext = {
  readonly lineId: string;
  readonly publicUrl: string;
  readonly noticesUrl: string;
  readonly brandName: string;
  readonly language: string;
  /** Authenticates what a till gives back, where shoppers could write it, too. */
  readonly sign: (text: string) => string;
  readonly fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
};

type WantedCheckout = {
  readonly offerId: string;
  readonly memberId: string;
  /** Idempotency key: the same for every repetition of one attempt. */
  readonly key: string;
  /** Null for an entry, whose card only holds the price until the draw. */
  readonly size: string | null;
  readonly endsAt: Date;
  readonly email: string | null;
};

type MadeCheckout = Price & { readonly id: string; readonly link: string | null };

export type Payment = {
  readonly id: string;
  readonly reference: string;
  /** A UUID, which the till has checked; null without a pass. */
  readonly offerId: string | null;
  readonly cents: number;
  readonly currency: string;
  /** The part for the mask of the till; null if it is for anything else. */
  readonly maskCents: number | null;
  readonly refundedCents: number;
  readonly disputedCents: number;
  /** Why it is neither paid nor can be given back, for the owner. */
  readonly problem: string | null;
  /** Where the till was told to send the mask. */
  readonly address?: RewardAddress | null;
};

/** What a card holds. */
export type Hold = {
  /** Its fingerprint; null where the till cannot tell it from another one. */
  readonly card: string | null;
  readonly isPrepaid: boolean;
  readonly captureBefore: Date | null;
  readonly cents: number;
  readonly currency: string;
};

/** `pending`: a payment is under way. */
export type FarCheckout = {
  readonly id: string;
  readonly state: 'open' | 'pending' | 'held' | 'paid' | 'ended';
  readonly hold?: Hold | null;
  readonly payment: Payment | null;
  readonly createdAt: Date;
};

/** All calls are idempotent, and throw a TillError. */
export type Till = {
  readonly longestMs: number;
  identify(): Promise<Identity>;
  /** What a mask costs now; null where the checkout alone says it. */
  readCost(): Promise<Cost | null>;
  create(wanted: WantedCheckout): Promise<MadeCheckout>;
  read(id: string): Promise<FarCheckout>;
  /** Ends it unless it is paid or held, and returns how it stands afterwards. */
  end(id: string): Promise<FarCheckout>;
  /** Absent where cards hold nothing. Both return how the checkout stands afterwards. */
  readonly holds?: {
    /** Still held afterwards: it is refused for good. */
    capture(id: string): Promise<FarCheckout>;
    release(id: string): Promise<FarCheckout>;
  };
  readPayment(id: string): Promise<Payment>;
  /** Gives back what is left of it. A final TillError: it never will. */
  refund(payment: Pick<Payment, 'id'> & { readonly key: string }): Promise<void>;
  /** The sales of this line. */
  list(since: Date): Promise<{ checkouts: FarCheckout[]; payments: Payment[] }>;
  /** Null for a wrong signature. `ids`: of what it names at the till, and of passes. */
  readNotice(headers: Readonly<Record<string, unknown>>, body: Buffer): Notice | null;
  check(sizes: readonly string[]): Promise<Findings>;
};

/** The place where a step of a sale is taken. */
export type At = { readonly database: Database; readonly account: Account; readonly till: Till };

/** `isOurs`: it bears the id of this line. */
type Notice = { readonly ids: readonly string[]; readonly isOurs: boolean };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a till says names a pass only if the database can look for it. */
export const uuidIn = (text: string | null | undefined) => UUID.exec(text ?? '')?.[0] ?? null;

export class TillError extends Error {
  /** Whether the till answered, so that a repetition with the same key is answered the same. */
  readonly isAnswer: boolean = false;
  /** Whether a repetition is refused for good. */
  readonly isFinal: boolean = false;
  readonly retryAfterMs: number | null = null;
  readonly code: string | null = null;

  constructor(sentence: string, { cause, ...found }: Partial<TillError> = {}) {
    super(sentence, { cause });
    this.name = 'TillError';
    Object.assign(this, found);
  }
}

type Findings = TillTest['findings'];

export function find(is_good: boolean, good: string, bad: string): Findings[number] {
  return { is_good, sentence: is_good ? good : bad };
}

/** What making a checkout and ending it found; a refusal of the till is a finding, too. */
export async function tryCheckout(make: () => Promise<Findings[number]>): Promise<Findings> {
  try {
    return [await make()];
  } catch (error) {
    if (!(error instanceof TillError && error.isAnswer)) throw error;
    return [{ is_good: false, sentence: `Nobody can pay. ${error.message}` }];
  }
}
