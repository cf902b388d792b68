import { createHmac, hash } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { openIpKeys } from '../../http/admission/client-address.ts';
import { Problem } from '../../problem.ts';
import * as rules from './limit-rules.ts';
import { openRateWindow, type RateWindow } from './rate-window.ts';
import { openLimitClock, openSharedCounts } from './shared-counts.ts';

type JoinSource = {
  readonly ip: string;
  readonly identity: string;
  readonly code: string | null;
};

export type JoinRisk = 'pass' | 'prove';

export class EmailLimitReached extends Problem {}

export type Limits = Awaited<ReturnType<typeof openLimits>>;

type LimitOptions = {
  readonly config: Pick<Config, 'isLimiting' | 'trustProxy'>;
  readonly database: Database;
  readonly secretKey: string;
  readonly onFailure: (error: unknown) => void;
};

type LimitedAction = keyof typeof rules.ACTIONS;

type Counted = { readonly window: RateWindow; readonly key: string };
type PerIp = { readonly ip: (text: string) => Counted; readonly all: Counted };

const TOO_MANY = 'Too many requests from here. Please wait a little and try again.';
const TOO_MANY_OF_EMAIL = 'This address was entered too often. Please wait a little and try again.';
const TOO_MANY_SIGN_IN_MAILS =
  'Links were mailed to this address already: use the newest one, or wait a little.';
const TOO_MANY_OF_CODE =
  'This invite is used too often right now. Please wait a little and try again.';

export async function openLimits({ config, database, secretKey, onFailure }: LimitOptions) {
  const clock = openLimitClock();
  const hashKey = config.isLimiting ? openKeyHash(secretKey) : () => '';
  const windows: RateWindow[] = [];
  const open = (rule: rules.LimitRule) => {
    const window = openRateWindow(rule, clock.now);
    windows.push(window);
    return (text: string): Counted => ({ window, key: hashKey(rule.name, text) });
  };
  const openPerIp = (perIp: rules.LimitRule, ofAll: rules.LimitRule): PerIp => ({
    ip: open(perIp),
    all: open(ofAll)(''),
  });
  const joins = openPerIp(rules.JOINS_PER_IP, rules.ALL_JOINS);
  const joinsPerEmail = open(rules.JOINS_PER_EMAIL);
  const joinsPerCode = open(rules.JOINS_PER_CODE);
  const guesses = openPerIp(rules.GUESSES_PER_IP, rules.ALL_GUESSES);
  const actions = Object.fromEntries(
    Object.entries(rules.ACTIONS).map(([action, by]) => [action, openPerIp(by.perIp, by.ofAll)]),
  ) as Record<LimitedAction, PerIp>;
  const linkUsesOfMember = open(rules.LINK_USES_PER_MEMBER);
  const signInMailsOfEmail = open(rules.SIGN_IN_MAILS_PER_EMAIL);
  const signInMailsOfDevice = open(rules.SIGN_IN_MAILS_PER_DEVICE);
  const wrongTokens = open(rules.WRONG_TOKENS_PER_IP);
  // Without limits nothing is hashed and counted, so that no count is ever too high.
  const shared = config.isLimiting
    ? await openSharedCounts({ database, windows, clock, onFailure })
    : null;
  const ipKeyOf = config.isLimiting ? openIpKeys(config.trustProxy) : () => null;

  function countedOf(by: PerIp, ip: string): Counted[] {
    const key = ipKeyOf(ip);
    return key === null ? [by.all] : [by.ip(key), by.all];
  }

  function add(counted: readonly Counted[]): void {
    if (shared === null) return;
    for (const { window, key } of counted) window.add(key);
    shared.schedule();
  }

  function countOrRefuse(counted: readonly Counted[]): void {
    for (const each of counted) refuse(secondsUntilCounted(each), TOO_MANY);
    add(counted);
  }

  return {
    /** Throws Problem rate_limited, an EmailLimitReached when only the e-mail address was. */
    countJoin({ ip, identity, code }: JoinSource): JoinRisk {
      const counted = countedOf(joins, ip);
      for (const each of counted) refuse(secondsUntilAllowed(each), TOO_MANY);
      if (code !== null) {
        const byCode = joinsPerCode(code);
        refuse(secondsUntilAllowed(byCode), TOO_MANY_OF_CODE);
        counted.push(byCode);
      }
      const byEmail = joinsPerEmail(identity);
      const risk = [...counted, byEmail].some(needsProof) ? 'prove' : 'pass';
      // Counted before the e-mail limit, whose refusal may still read a stored answer.
      add(counted);
      refuse(secondsUntilAllowed(byEmail), TOO_MANY_OF_EMAIL, EmailLimitReached);
      add([byEmail]);
      return risk;
    },
    /** Refunds the address of a join that succeeded, or failed for no fault of its sender. */
    refundEmail(identity: string): void {
      const { window, key } = joinsPerEmail(identity);
      window.refund(key);
    },
    /** Call before a look-up. Refuses after too many wrong codes of this address and all. */
    admitLookUp(ip: string): void {
      const key = ipKeyOf(ip);
      if (key === null || secondsUntilCounted(guesses.ip(key)) !== null)
        refuse(secondsUntilAllowed(guesses.all), TOO_MANY);
    },
    countWrongCode(ip: string): void {
      const key = ipKeyOf(ip);
      try {
        countOrRefuse([guesses.all]);
      } finally {
        // Each counts even if the other refuses: it was a look-up.
        if (key !== null) countOrRefuse([guesses.ip(key)]);
      }
    },
    count: (action: LimitedAction, ip: string) => countOrRefuse(countedOf(actions[action], ip)),
    countLinkOpening: (memberId: string) => countOrRefuse([linkUsesOfMember(memberId)]),
    countLinkUse: ({ ip, memberId }: { readonly ip: string; readonly memberId: string }) =>
      countOrRefuse([...countedOf(actions['link-use'], ip), linkUsesOfMember(memberId)]),
    /** A device that an operator was signed in on has a share of its own. */
    countSignInMail(
      by: { readonly device: string } | { readonly ip: string; readonly identity: string },
    ) {
      if ('device' in by) return countOrRefuse([signInMailsOfDevice(by.device)]);
      const ofEmail = signInMailsOfEmail(by.identity);
      refuse(secondsUntilAllowed(ofEmail), TOO_MANY_SIGN_IN_MAILS);
      countOrRefuse([...countedOf(actions['sign-in-mail'], by.ip), ofEmail]);
    },
    countWrongToken: (ip: string) => countOrRefuse([wrongTokens(ipKeyOf(ip) ?? 'loopback')]),
    close: async () => await shared?.close(),
  };
}

/** A key that does not fit counts as one at its threshold if the rule fails closed. */
function needsProof({ window, key }: Counted): boolean {
  const { proofThreshold, failsClosed } = window.rule;
  if (!window.hasSpaceFor(key)) return failsClosed;
  return proofThreshold !== null && rules.recentCount(window.counts(key)) >= proofThreshold;
}

function secondsUntilAllowed({ window, key }: Counted): number | null {
  return rules.secondsUntilAllowed(window.rule, window.counts(key));
}

/** A key that does not fit waits for the next window. */
function secondsUntilCounted({ window, key }: Counted): number | null {
  if (!window.hasSpaceFor(key)) return rules.secondsUntilFree(window.rule, window.counts(key));
  return secondsUntilAllowed({ window, key });
}

function refuse(
  retryAfterSeconds: number | null,
  detail: string,
  Refusal: typeof Problem = Problem,
): void {
  if (retryAfterSeconds !== null) throw new Refusal('rate_limited', detail, { retryAfterSeconds });
}

/** Servers with the same secret key agree, and no count names anybody. */
export function openKeyHash(secretKey: string): (rule: string, text: string) => string {
  const prefix = createHmac('sha256', secretKey).update('limits').digest('base64url');
  // An HMAC per key takes three times as long. Length extension is no risk: keys stay secret.
  return (rule, text) => hash('sha256', `${prefix}${rule}\0${text}`, 'base64url');
}
