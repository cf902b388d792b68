/** One visit of the labelled simulation: who sends what from where, and whether it is honest. */
export type Kind =
  | 'strangers'
  | 'office'
  | 'family'
  | 'campus'
  | 'carrier'
  | 'creator'
  | 'meet-up'
  | 'mistyped'
  | 'firm'
  | 'numbers'
  | 'aliases'
  | 'catch-all'
  | 'disposable'
  | 'one-network'
  | 'rotating-mobile'
  | 'slow-drip'
  | 'bought-clicks'
  | 'ring-of-5'
  | 'ring-of-50'
  | 'honest-timing'
  | 'no-page'
  | 'mixed'
  | 'coupon-site'
  | 'second-mailbox'
  | 'numbered'
  | 'unreachable'
  | 'random-names'
  | 'careful-home';

export type Visit = {
  readonly kind: Kind;
  /** False: the credit for it should be held. Visits without a referrer bring none. */
  readonly isHonest: boolean;
  /** Unique; friends name it as their referrer. */
  readonly person: string;
  readonly referrer: string | null;
  readonly email: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly language: string;
  readonly referringHost: string | null;
  /** Seconds between opening the page and sending the form; null: the page was never opened. */
  readonly secondsOnPage: number | null;
  /** Seconds from the beginning of the simulation. */
  readonly at: number;
};

/** Makes the visits of one kind, from a seed. */
export type MakeVisits = (world: World) => Visit[];

export type World = {
  /** Different for each group of each kind. */
  readonly seed: string;
  /** When the group begins, in seconds. */
  readonly start: number;
};

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
