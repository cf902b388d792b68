/** How often one address, and all of them together, may ask. */
import { BlockList } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';
import { isLoopback, limitKeyOf } from './client-address.ts';

export type Limits = {
  /** Counts a join; refuses with 429 when its address, or everybody together, has joined too often. */
  countJoin(address: string): Promise<void>;
  /**
   * Counts a code before it is looked up, so that asking for many at once is no way round. Answers what gives a right one back: an invite
   * opened by a whole office is no guessing. Refuses with 429 when the address has asked for too many that do not exist.
   */
  countGuess(address: string): Promise<() => Promise<void>>;
  /** Counts a link of a mail that leads nowhere, or a report that is not signed; refuses with 429 when there were too many. */
  countWrongLink(address: string): Promise<void>;
  /** Counts what a member sends from a page of theirs; refuses with 429 when it was too often. */
  countLinkUse(address: string): Promise<void>;
  /** Refuses with 429 when the address has shown too many wrong operator tokens; the right one always passes. */
  countWrongToken(address: string): Promise<void>;
};

/** An office of 40 behind one address can all join, mistype and try again within the window. */
const JOINS_PER_ADDRESS = { points: 240, duration: 600 };
const JOINS_OF_ALL = { points: 300_000, duration: 60 };
const WRONG_CODES_PER_ADDRESS = { points: 60, duration: 600 };
const WRONG_CODES_OF_ALL = { points: 60_000, duration: 60 };
const WRONG_LINKS_PER_ADDRESS = { points: 60, duration: 600 };
const WRONG_LINKS_OF_ALL = { points: 60_000, duration: 60 };
const LINK_USES_PER_ADDRESS = { points: 120, duration: 600 };
const LINK_USES_OF_ALL = { points: 60_000, duration: 60 };
const WRONG_TOKENS_PER_ADDRESS = { points: 10, duration: 60 };

/**
 * Loopback peers have no limit of their own: behind a proxy that is not named in `trustProxy` they are all visitors at once.
 * When it names them, a forwarded address is told, and what still comes from loopback is counted like any other.
 */
export function openLimits({ isLimiting, trustProxy }: Pick<Config, 'isLimiting' | 'trustProxy'>): Limits {
  const isLoopbackProxy = namesLoopback(trustProxy);
  const joins = openPair(JOINS_PER_ADDRESS, JOINS_OF_ALL);
  const codes = openPair(WRONG_CODES_PER_ADDRESS, WRONG_CODES_OF_ALL);
  const wrongLinks = openPair(WRONG_LINKS_PER_ADDRESS, WRONG_LINKS_OF_ALL);
  const linkUses = openPair(LINK_USES_PER_ADDRESS, LINK_USES_OF_ALL);
  const tokens = openPair(WRONG_TOKENS_PER_ADDRESS, null);

  const keyOf = (address: string) => (isLoopback(address) && !isLoopbackProxy ? null : limitKeyOf(address));
  const whenLimiting = (act: (key: string | null) => Promise<void>) => async (address: string) => {
    if (isLimiting) await act(keyOf(address));
  };
  return {
    countJoin: whenLimiting((key) => joins.count(key)),
    async countGuess(address) {
      await whenLimiting((key) => codes.count(key))(address);
      return () => whenLimiting((key) => codes.giveBack(key))(address);
    },
    countWrongLink: whenLimiting((key) => wrongLinks.count(key)),
    countLinkUse: whenLimiting((key) => linkUses.count(key)),
    countWrongToken: whenLimiting((key) => tokens.count(key ?? 'loopback')),
  };
}

type Window = { points: number; duration: number };

function openPair(perAddress: Window, ofAll: Window | null) {
  const own = new RateLimiterMemory(perAddress);
  const all = ofAll && new RateLimiterMemory(ofAll);
  return {
    async count(key: string | null): Promise<void> {
      if (key !== null) await orRefuse(own.consume(key));
      if (all) await orRefuse(all.consume('all'));
    },
    async giveBack(key: string | null): Promise<void> {
      if (key !== null) await own.reward(key);
      if (all) await all.reward('all');
    },
  };
}

async function orRefuse(consumed: Promise<RateLimiterRes>): Promise<void> {
  try {
    await consumed;
  } catch (error) {
    throw error instanceof RateLimiterRes ? tooMany(error) : error;
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): Problem {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Problem('rate_limited', 'Too many requests from here. Please wait a little and try again.', {
    retryAfterSeconds,
  });
}

function namesLoopback(ranges: readonly string[]): boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list.check('127.0.0.1') || list.check('::1', 'ipv6');
}
