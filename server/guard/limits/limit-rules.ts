/** The rate limits and their arithmetic. For the reasons, see docs/decisions/0018-limits.md. */

export type LimitRule = {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  /** A join needs a proof of work from this count on; null: never. */
  readonly proofThreshold: number | null;
  /** A count is shared with other servers, and outlives this one, from this value on. */
  readonly sharedFrom: number;
  readonly maxKeys: number;
  /** Keys that do not fit need a proof of work or are refused. */
  readonly failsClosed: boolean;
};

const TEN_MINUTES = 600;
const ONE_MINUTE = 60;
/** Twice a launch of 100,000 people, each from their own address: 18 MB per window when full. */
export const MAX_KEYS = 200_000;

/** An office of 40 behind one address can all join and retry without a proof. */
export const JOINS_PER_IP = rule('joins-per-ip', 240, TEN_MINUTES, { proofThreshold: 160 });
export const JOINS_PER_EMAIL = rule('joins-per-email', 10, TEN_MINUTES, { sharedFrom: 3 });
/** Above what an audience of millions does. `ALL_JOINS` covers codes that fit no window. */
export const JOINS_PER_CODE = rule('joins-per-code', 6_000_000, TEN_MINUTES, {
  proofThreshold: 3_000_000,
  sharedFrom: 60,
  failsClosed: false,
});
export const ALL_JOINS = rule('all-joins', 3_000_000, ONE_MINUTE, {
  proofThreshold: 1_500_000,
  sharedFrom: 1_000,
});

/** Wrong codes of one address: a visit to a wrong invite looks it up twice, page and call. */
export const GUESSES_PER_IP = rule('guesses-per-ip', 60, TEN_MINUTES);
/** Above what honest visitors mistype. At a million members, one code is found in 26 days. */
export const ALL_GUESSES = rule('all-guesses', 30_000, ONE_MINUTE, { sharedFrom: 1_000 });
export const LINK_USES_PER_MEMBER = rule('link-uses-per-member', 120, TEN_MINUTES);
export const SIGN_IN_MAILS_PER_EMAIL = rule('sign-in-mails-per-email', 5, TEN_MINUTES, {
  sharedFrom: 1,
});
/** The share of a device that an operator was signed in on, which strangers cannot use up. */
export const SIGN_IN_MAILS_PER_DEVICE = rule('sign-in-mails-per-device', 5, TEN_MINUTES, {
  sharedFrom: 1,
});
export const WRONG_TOKENS_PER_IP = rule('wrong-tokens-per-ip', 10, ONE_MINUTE, { sharedFrom: 2 });

export const ACTIONS = {
  'size-wish': perIpAndAll('size-wishes', 240),
  'offer-link': perIpAndAll('offer-links', 60),
  inviter: perIpAndAll('inviters', 240),
  'wrong-link': perIpAndAll('wrong-links', 60),
  'link-use': perIpAndAll('link-uses', 120),
  'unreadable-passkey': perIpAndAll('unreadable-passkeys', 60),
  'sign-in-mail': perIpAndAll('sign-in-mails', 60),
};

function perIpAndAll(name: string, maxPerIp: number) {
  return {
    perIp: rule(`${name}-per-ip`, maxPerIp, TEN_MINUTES),
    ofAll: rule(`all-${name}`, 60_000, ONE_MINUTE, { sharedFrom: 600 }),
  };
}

function rule(
  name: string,
  max: number,
  seconds: number,
  options: Partial<Pick<LimitRule, 'proofThreshold' | 'sharedFrom' | 'failsClosed'>> = {},
): LimitRule {
  const sharedFrom = Math.ceil(max / 10);
  return {
    name,
    max,
    seconds,
    proofThreshold: null,
    sharedFrom,
    maxKeys: MAX_KEYS,
    failsClosed: true,
    ...options,
  };
}

/** `passed`, from 0 to 1, is the part of the current window that is over. */
export type WindowCounts = Readonly<Record<'current' | 'previous' | 'passed', number>>;

export function windowAt({ seconds }: LimitRule, nowMs: number): { index: number; passed: number } {
  const windows = nowMs / (seconds * 1000);
  return { index: Math.floor(windows), passed: windows - Math.floor(windows) };
}

/** Estimates the last `seconds`: the previous window counts by the part that lies within them. */
export function recentCount({ current, previous, passed }: WindowCounts): number {
  return current + previous * (1 - passed);
}

/** A wait of exactly n seconds could end a rounding error too early. */
const ROUNDING_SECONDS = 0.001;

export function secondsUntilAllowed(
  { max, seconds }: LimitRule,
  counts: WindowCounts,
): number | null {
  if (recentCount(counts) + 1 <= max) return null;
  const { current, previous, passed } = counts;
  const left = max - 1 - current;
  const until =
    left >= 0
      ? 1 - left / previous - passed // while the previous window slides out
      : 1 - passed + (1 - (max - 1) / current); // while this one does, in the next window
  return Math.max(1, Math.ceil(until * seconds + ROUNDING_SECONDS));
}

export function secondsUntilFree({ seconds }: LimitRule, { passed }: WindowCounts): number {
  return Math.max(1, Math.ceil((1 - passed) * seconds));
}
