/** What makes the credit for a join doubtful: told in the join itself, from memory alone. */
import type { FastifyRequest } from 'fastify';
import type { Fairness } from '../../../brand/brand-shape.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { namesLoopback } from '../../http/admission/client-address.ts';
import { mailboxOf, spellingsOf } from '../../line/email-rules.ts';
import type { Doubt, JoinAnswer, OwnMailbox } from '../../line/join/join.ts';
import { readReferralCode } from '../../line/referrals/referral-code-rules.ts';
import type { Source } from '../../line/sources/source-rules.ts';
import { openAssessor, type Trace } from './assessor.ts';
import { Flag, openJoinMemory } from './join-memory.ts';
import { networksOf } from './networks-of.ts';
import { openPageLoads } from './page-loads.ts';
import { hash32 } from './text-hash.ts';
import { type HashedText, loadTraceKeys } from './traces/trace-keys.ts';
import { joinedMsOf, readTrusted } from './traces/trace-store.ts';
import { openTraces } from './traces/traces.ts';

type WatchedJoin = {
  /** Null when nothing speaks against the credit. */
  readonly doubt: Doubt | null;
  /** Null when the doubt already covers the referrer's mailbox. */
  readonly ownMailbox: OwnMailbox | null;
  /** Call with the line's answer; null when there is none. */
  settle(answer: JoinAnswer | null): void;
};

type Join = {
  /** The identity of the e-mail address. */
  readonly identity: string;
  /** As sent. */
  readonly code: string | null;
  readonly source: Source | null;
};

export type FairnessGuard = {
  watch(request: Pick<FastifyRequest, 'ip' | 'headers'>, join: Join): WatchedJoin;
  /** Whether all that is kept of earlier joins is known. */
  isReady(): boolean;
  /**
   * What speaks against the credit for a friend by all that is known now; null for nothing, and
   * when their join is not remembered.
   */
  lookBack(friend: CodeOwner): Doubt | null;
  /** A page with the form was sent to this address. */
  notePage(ip: string): void;
  /** Writes the traces of the last second. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** A member by the code they came by, and their own. */
type CodeOwner = { readonly code: string; readonly ownCode: string };

type FairnessOptions = {
  readonly config: Pick<Config, 'isLimiting' | 'trustProxy'>;
  readonly fairness: Fairness;
  readonly database: Database;
  readonly secretKey: string;
  readonly onFailure: (error: unknown) => void;
};

/** In the bytes of an answer to a join. */
const CODE = /"referral_code":"(\w+)"/;
const NEW_KEY_EVERY_MS = 3_600_000;

/** Without limits nothing is doubted either: tests and benchmarks join in masses. */
export async function openFairness(options: FairnessOptions): Promise<FairnessGuard> {
  const { config, fairness, database, secretKey, onFailure } = options;
  if (!config.isLimiting) return NO_FAIRNESS;
  const isLoopbackProxy = namesLoopback(config.trustProxy);
  const memory = openJoinMemory();
  const assessor = openAssessor(memory, fairness);
  const pages = openPageLoads();
  let trusted: ReadonlySet<number> = new Set(await readTrusted(database));
  let keys = await loadTraceKeys(database, secretKey);
  const renewal = setInterval(async () => {
    keys = await loadTraceKeys(database, secretKey).catch(() => keys);
  }, NEW_KEY_EVERY_MS).unref();

  const traces = openTraces({
    database,
    onTrace({ memberId, identity, ownCode, code, ...trace }) {
      const at = Math.floor(joinedMsOf(memberId) / 1000);
      const join = assessor.remember({ ...withoutTrusted(trace), identity, code, at });
      memory.setOwnCode(join, hash32(ownCode));
    },
    onTrusted(networks) {
      for (const network of networks) if (!trusted.has(network)) memory.forgetNetwork(network);
      trusted = new Set(networks);
    },
    onFailure,
  });

  /** Of an earlier key, where the memory knows it. */
  function remembered(field: 'narrow' | 'wide', { written, known }: HashedText): number {
    if (known.length < 2) return written;
    return known.findLast((value) => memory.find(field, value) !== null) ?? written;
  }

  /** A new key gives the network a new hash, which earlier joins in the memory may not have. */
  function isTrusted({ written, known }: HashedText): boolean {
    if (!known.some((value) => trusted.has(value))) return false;
    if (!trusted.has(written)) {
      trusted = new Set([...trusted, written]);
      for (const value of known) memory.forgetNetwork(value);
      traces.renewTrust({ key_id: keys.id, narrow: written, known });
    }
    return true;
  }

  function withoutTrusted(trace: Trace): Trace {
    return trusted.has(trace.narrow) ? { ...trace, narrow: 0, wide: 0 } : trace;
  }

  /** A join is remembered for 30 days, and a member invites for longer. */
  function ownMailboxOf(identity: string, sentCode: string | null): OwnMailbox | null {
    const code = sentCode === null ? null : readReferralCode(sentCode);
    if (code === null || memory.find('ownCode', hash32(code)) !== null) return null;
    const spellings = spellingsOf(mailboxOf(identity));
    const { weight } = fairness.rules['own-mailbox'];
    return spellings === null ? null : { spellings, weight };
  }

  return {
    watch({ ip, headers }, { identity, code, source }) {
      const askedAt = Date.now();
      const at = Math.floor(askedAt / 1000);
      const networks = networksOf(ip, isLoopbackProxy);
      const narrow = keys.hash('narrow', networks?.narrow ?? '');
      const wide = keys.hash('wide', networks?.wide ?? '');
      const { 'user-agent': agent = '', 'accept-language': language = '' } = headers;
      const hints = keys.hash('hints', agent + language);
      const { isLoaded, isFast } = pages.judge(narrow.written, at);
      const flags =
        (isLoaded ? Flag.pageLoaded : 0) |
        (isFast ? Flag.fast : 0) |
        (isCoupon(source, fairness) ? Flag.coupon : 0);
      const mayCount = !isTrusted(narrow);
      const join = assessor.remember({
        narrow: mayCount ? remembered('narrow', narrow) : 0,
        wide: mayCount ? remembered('wide', wide) : 0,
        hints: hints.written,
        flags,
        identity,
        code: code === null ? null : readReferralCode(code),
        at,
      });
      return {
        doubt: assessor.doubt(join),
        ownMailbox: ownMailboxOf(identity, code),
        settle(answer) {
          const memberId = answer?.memberId ?? null;
          // A repeated join gets its earlier answer, with the id of then.
          if (answer === null || memberId === null || joinedMsOf(memberId) < askedAt)
            return memory.drop(join);
          memory.setOwnCode(join, hash32(CODE.exec(answer.body)?.[1] ?? ''));
          traces.add(memberId, keys.id, {
            narrow: narrow.written,
            wide: wide.written,
            hints: hints.written,
            flags,
          });
        },
      };
    },
    notePage(ip) {
      const networks = networksOf(ip, isLoopbackProxy);
      if (networks === null) return;
      pages.note(keys.hash('narrow', networks.narrow).written, Math.floor(Date.now() / 1000));
    },
    isReady: traces.isRead,
    lookBack({ code, ownCode }) {
      const join = memory.find('ownCode', hash32(ownCode));
      if (join === null || memory.read('code', join) !== hash32(code)) return null;
      return assessor.doubt(join);
    },
    flush: traces.flush,
    async close() {
      clearInterval(renewal);
      await traces.close();
    },
  };
}

function isCoupon(source: Source | null, { couponWords }: Fairness): boolean {
  const host = source?.referring_host ?? '';
  return host !== '' && couponWords.some((word) => host.includes(word));
}

const NOT_WATCHED: WatchedJoin = { doubt: null, ownMailbox: null, settle: () => {} };

const NO_FAIRNESS: FairnessGuard = {
  watch: () => NOT_WATCHED,
  isReady: () => false,
  lookBack: () => null,
  notePage: () => {},
  flush: async () => {},
  close: async () => {},
};
