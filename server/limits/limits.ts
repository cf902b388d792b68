/** How often one visitor, one e-mail address, one referral code, and all of them together, may ask. */
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { readReferralCode } from '../referrals/referral-code-rules.ts';
import { isLoopback, limitKeyOf, namesLoopback } from './client-address.ts';
import { openLimitClock } from './clock.ts';
import { type Counter, openCounter } from './counter.ts';
import { emailKeyOf } from './email-key.ts';
import { openKeyHash } from './key-hash.ts';
import * as rules from './limit-rules.ts';
import { openSharedCounts } from './shared-counts.ts';

type JoinSource = {
  readonly ip: string;
  /** As typed. */
  readonly email: string;
  /** As sent; what cannot be a code is none. */
  readonly code: string | null;
};

/** Whether somebody who joins has to prove that they are in earnest. */
export type JoinRisk = 'pass' | 'prove';

/** More joins with one e-mail address than somebody makes who wants to join. */
export class EmailLimitReached extends Problem {}

export type Limits = {
  /**
   * Counts a join; answers `prove` when so many came from there, by the code or in all that the risk is raised. Refuses with 429 when it
   * were too many: an EmailLimitReached, when all but the e-mail address may go on.
   */
  countJoin(source: JoinSource): JoinRisk;
  /** Takes back that a join was counted under its e-mail address: nothing came of it, and that was not its sender's doing. */
  giveBackEmail(email: string): void;
  /**
   * Counts a code before it is looked up, so that asking for many at once is no way round. Answers what gives a right one back: an invite
   * opened by a whole office is no guessing. Refuses with 429 when too many that do not exist were asked for from there.
   */
  countGuess(ip: string): () => void;
  /** Counts a link of a mail that leads nowhere, or a report that is not signed; refuses with 429 when there were too many. */
  countWrongLink(ip: string): void;
  /** Counts what a member sends from a page of theirs; refuses with 429 when it was too often. */
  countLinkUse(ip: string): void;
  /** Refuses with 429 when too many wrong operator tokens were shown from there; the right one always passes. */
  countWrongToken(ip: string): void;
  /** Keeps what was counted for the next start. */
  close(): Promise<void>;
};

type LimitOptions = {
  readonly config: Pick<Config, 'isLimiting' | 'trustProxy'>;
  readonly database: Database;
  readonly secretKey: string;
  readonly onFailure: (error: unknown) => void;
};

type Counted = readonly [counter: Counter, key: string];

const TOO_MANY = 'Too many requests from here. Please wait a little and try again.';
const TOO_MANY_OF_EMAIL = 'This address was entered too often. Please wait a little and try again.';
const TOO_MANY_OF_CODE = 'This invite is used too often right now. Please wait a little and try again.';

/**
 * Loopback peers have no limit of their own: behind a proxy that is not named in `trustProxy` they are all visitors at once.
 * When it names them, a forwarded address is told, and what still comes from loopback is counted like any other.
 */
export async function openLimits({ config, database, secretKey, onFailure }: LimitOptions): Promise<Limits> {
  if (!config.isLimiting) return NO_LIMITS;
  const clock = openLimitClock();
  const hashKey = openKeyHash(secretKey);
  const counters: Counter[] = [];
  const open = (rule: rules.LimitRule) => {
    const counter = openCounter(rule, clock.now);
    counters.push(counter);
    return (text: string): Counted => [counter, hashKey(rule.name, text)];
  };
  const joins = { ip: open(rules.JOINS_OF_IP), all: open(rules.JOINS_OF_ALL)('') };
  const joinsOfEmail = open(rules.JOINS_OF_EMAIL);
  const joinsOfCode = open(rules.JOINS_OF_CODE);
  const guesses = { ip: open(rules.GUESSES_OF_IP), all: open(rules.GUESSES_OF_ALL)('') };
  const wrongLinks = { ip: open(rules.WRONG_LINKS_OF_IP), all: open(rules.WRONG_LINKS_OF_ALL)('') };
  const linkUses = { ip: open(rules.LINK_USES_OF_IP), all: open(rules.LINK_USES_OF_ALL)('') };
  const wrongTokens = open(rules.WRONG_TOKENS_OF_IP);
  const shared = await openSharedCounts({ database, counters, clock, onFailure });

  const isLoopbackProxy = namesLoopback(config.trustProxy);
  const ipKeyOf = (ip: string) => (isLoopback(ip) && !isLoopbackProxy ? null : limitKeyOf(ip));

  function countedOf(of: { ip: (text: string) => Counted; all: Counted }, ip: string): Counted[] {
    const key = ipKeyOf(ip);
    return key === null ? [of.all] : [of.ip(key), of.all];
  }

  function count(counted: readonly Counted[]): void {
    for (const [counter, key] of counted) counter.add(key);
    shared.touch();
  }

  /** All or none: what is refused counts nowhere, so that who waits as told is let in. */
  function countOrRefuse(counted: readonly Counted[]): void {
    for (const each of counted) refuseTooMany(each, TOO_MANY);
    count(counted);
  }

  return {
    countJoin({ ip, email, code }) {
      const counted = countedOf(joins, ip);
      for (const each of counted) refuseTooMany(each, TOO_MANY);
      const knownCode = code === null ? null : readReferralCode(code);
      if (knownCode !== null) {
        counted.push(joinsOfCode(knownCode));
        refuseTooMany(counted.at(-1) as Counted, TOO_MANY_OF_CODE);
      }
      const risk = counted.some(isRaised) ? 'prove' : 'pass';
      const ofEmail = joinsOfEmail(emailKeyOf(email));
      // Before the address is looked at: what is asked for after that, such as a kept answer, is counted.
      count(counted);
      refuseTooMany(ofEmail, TOO_MANY_OF_EMAIL, EmailLimitReached);
      count([ofEmail]);
      return risk;
    },
    giveBackEmail(email) {
      const [counter, key] = joinsOfEmail(emailKeyOf(email));
      counter.giveBack(key);
    },
    countGuess(ip) {
      const counted = countedOf(guesses, ip);
      countOrRefuse(counted);
      return () => {
        for (const [counter, key] of counted) counter.giveBack(key);
      };
    },
    countWrongLink: (ip) => countOrRefuse(countedOf(wrongLinks, ip)),
    countLinkUse: (ip) => countOrRefuse(countedOf(linkUses, ip)),
    countWrongToken: (ip) => countOrRefuse([wrongTokens(ipKeyOf(ip) ?? 'loopback')]),
    close: shared.close,
  };
}

const NO_LIMITS: Limits = {
  countJoin: () => 'pass',
  giveBackEmail: () => {},
  countGuess: () => () => {},
  countWrongLink: () => {},
  countLinkUse: () => {},
  countWrongToken: () => {},
  close: async () => {},
};

function isRaised([counter, key]: Counted): boolean {
  const { raisedFrom } = counter.rule;
  return raisedFrom !== null && rules.recentCount(counter.counts(key)) >= raisedFrom;
}

function refuseTooMany([counter, key]: Counted, detail: string, Refusal: typeof Problem = Problem): void {
  const retryAfterSeconds = rules.secondsUntilAllowed(counter.rule, counter.counts(key));
  if (retryAfterSeconds !== null) throw new Refusal('rate_limited', detail, { retryAfterSeconds });
}
