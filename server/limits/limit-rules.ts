/** How often what may be asked, and the arithmetic of it. Why these numbers: docs/decisions/0018-limits.md. */

export type LimitRule = {
  /** As it stands in the database. */
  readonly name: string;
  /** Within any `seconds`. */
  readonly most: number;
  readonly seconds: number;
  /** From here on the risk is raised; null: it never is. */
  readonly raisedFrom: number | null;
  /** Counts from here on are shared with the other servers and outlive this one. */
  readonly sharedFrom: number;
  /** Of the table that counts on when there are more keys than can be counted exactly: a power of 2. */
  readonly sketchCells: number;
};

const TEN_MINUTES = 600;
const ONE_MINUTE = 60;

/** An office of 40 behind one address can all join, mistype and try again, and is never taken for a risk. */
export const JOINS_OF_IP = rule('joins-of-ip', 240, TEN_MINUTES, { raisedFrom: 160 });
/** Enough to try again; more would be mails to somebody who did not ask for them. Cells for every join that there can be. */
export const JOINS_OF_EMAIL = rule('joins-of-email', 10, TEN_MINUTES, { sharedFrom: 3, sketchCells: 2 ** 24 });
/** Above what an audience of millions does when somebody shows them a code. */
export const JOINS_OF_CODE = rule('joins-of-code', 6_000_000, TEN_MINUTES, { raisedFrom: 3_000_000, sharedFrom: 60 });
export const JOINS_OF_ALL = rule('joins-of-all', 3_000_000, ONE_MINUTE, { raisedFrom: 1_500_000, sharedFrom: 1_000 });

export const GUESSES_OF_IP = rule('guesses-of-ip', 60, TEN_MINUTES);
/** A right code waits for this one, too: so high that a thousand addresses cannot keep all invites shut. */
export const GUESSES_OF_ALL = rule('guesses-of-all', 300_000, ONE_MINUTE, { sharedFrom: 1_000 });
export const WRONG_LINKS_OF_IP = rule('wrong-links-of-ip', 60, TEN_MINUTES);
export const WRONG_LINKS_OF_ALL = rule('wrong-links-of-all', 60_000, ONE_MINUTE, { sharedFrom: 600 });
export const LINK_USES_OF_IP = rule('link-uses-of-ip', 120, TEN_MINUTES);
export const LINK_USES_OF_ALL = rule('link-uses-of-all', 60_000, ONE_MINUTE, { sharedFrom: 600 });
export const WRONG_TOKENS_OF_IP = rule('wrong-tokens-of-ip', 10, ONE_MINUTE, { sharedFrom: 2 });

type Unusual = Partial<Pick<LimitRule, 'raisedFrom' | 'sharedFrom' | 'sketchCells'>>;

function rule(name: string, most: number, seconds: number, unusual: Unusual = {}): LimitRule {
  return { name, most, seconds, raisedFrom: null, sharedFrom: Math.ceil(most / 10), sketchCells: 2 ** 20, ...unusual };
}

/** What was counted under one key in the window that `passed` of, from 0 to 1, is over, and in the one before it. */
export type WindowCounts = { readonly current: number; readonly previous: number; readonly passed: number };

/** The window of a moment, in milliseconds, and how much of it is over. */
export function windowAt({ seconds }: LimitRule, nowMs: number): { index: number; passed: number } {
  const windows = nowMs / (seconds * 1000);
  return { index: Math.floor(windows), passed: windows - Math.floor(windows) };
}

/** About how often within the last `seconds`: of the window before, as much as still lies within them. */
export function recentCount({ current, previous, passed }: WindowCounts): number {
  return current + previous * (1 - passed);
}

/** Null when one more may be asked now; else after how many seconds it may. */
export function secondsUntilAllowed({ most, seconds }: LimitRule, counts: WindowCounts): number | null {
  if (recentCount(counts) + 1 <= most) return null;
  const { current, previous, passed } = counts;
  const room = most - 1 - current;
  const until =
    room >= 0
      ? 1 - room / previous - passed // while the window before moves out of sight
      : 1 - passed + (1 - (most - 1) / current); // the same with this one, in the next
  return Math.max(1, Math.ceil(until * seconds));
}
