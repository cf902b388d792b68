/** Rates the credit of a join by fraud signals, in the join itself and from memory alone. */
import type { FastifyRequest } from 'fastify';
import { isLoopback, limitKeyOf, namesLoopback } from '../http/admission/client-address.ts';
import { logFailure } from '../http/request-log.ts';
import type { JoinAnswer } from '../line/join/join.ts';
import type { Assessment, JoinTrace } from '../line/join/join-request.ts';
import { mailboxOf } from '../mail/email-rules.ts';
import type { Platform } from '../module.ts';
import { openAssessor, type Trace } from './assessor.ts';
import { Flag, hash32, openJoinMemory } from './join-memory.ts';
import { openPageLoads } from './page-loads.ts';
import { type HashedText, loadTraceKeys } from './traces/trace-keys.ts';
import { joinedMsOf, readTrusted } from './traces/trace-store.ts';
import { openTraces } from './traces/traces.ts';

type Watched<Outcome> = Assessment & { settle(outcome: Outcome): void };

type Join = { readonly identity: string; readonly code: string | null };

type Naming = {
  readonly identity: string;
  readonly ownCode: string;
  readonly code: string;
};

type Request = Pick<FastifyRequest, 'ip' | 'headers'>;

export type FairnessGuard = {
  /** Settle with the answer of the line; null for none. */
  watch(request: Request, join: Join): Watched<JoinAnswer | null>;
  /** Settle with whether the line has credited the inviter. */
  watchInviter(request: Request, naming: Naming): Watched<boolean>;
  notePage(ip: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

const MAX_MOVED = 50_000;
const NEW_KEY_EVERY_MS = 3_600_000;

/** Without limits nothing is assessed either, because tests and benchmarks join in masses. */
export async function openFairness(platform: Platform): Promise<FairnessGuard> {
  const { config, brand, database, secretKey, log } = platform;
  const { fairness } = brand;
  if (!config.isLimiting) return NO_FAIRNESS;
  const isLoopbackProxy = namesLoopback(config.trustProxy);
  const memory = openJoinMemory();
  const assessor = openAssessor(memory, fairness);
  const pages = openPageLoads();
  let trusted: ReadonlySet<number> = new Set(await readTrusted(database));
  /** Joins of each wide network that are remembered where their inviter was named instead. */
  const moved = new Map<number, number>();
  let keys = await loadTraceKeys(database, secretKey);
  const renewal = setInterval(async () => {
    keys = await loadTraceKeys(database, secretKey).catch(() => keys);
  }, NEW_KEY_EVERY_MS).unref();

  const traces = openTraces({
    database,
    onTrace({ identity, ownCode, code, ...trace }) {
      const mailbox = mailboxOf(identity);
      const join = assessor.remember({ ...withoutTrusted(trace), mailbox, code });
      memory.setOwnCode(join, hash32(ownCode));
    },
    onTrusted(networks) {
      for (const network of networks) if (!trusted.has(network)) memory.forgetNetwork(network);
      trusted = new Set(networks);
    },
    onFailure: (error) => logFailure(log, 'warn', error, 'traces of joins are not kept'),
  });

  function remembered(field: 'narrow' | 'wide', { written, known }: HashedText): number {
    if (known.length < 2) return written;
    return known.findLast((value) => memory.find(field, value) !== null) ?? written;
  }

  /** A rotated key gives the network a new hash, which the memory does not have. */
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

  /** A member invites for longer than the 30 days that a join is remembered. */
  function weightToLookUp(code: string | null): number | null {
    if (code === null || memory.find('ownCode', hash32(code)) !== null) return null;
    return fairness.rules['own-mailbox'].weight;
  }

  function tracesOf({ ip, headers }: Request) {
    const networks = networksOf(ip, isLoopbackProxy);
    const narrow = keys.hash('narrow', networks?.narrow ?? '');
    const wide = keys.hash('wide', networks?.wide ?? '');
    const { 'user-agent': agent = '', 'accept-language': language = '' } = headers;
    const hints = keys.hash('hints', agent + language).written;
    const mayCount = !isTrusted(narrow);
    return {
      written: { narrow: narrow.written, wide: wide.written, hints },
      known: {
        narrow: mayCount ? remembered('narrow', narrow) : 0,
        wide: mayCount ? remembered('wide', wide) : 0,
        hints,
      },
    };
  }

  const traceOf = (written: Omit<Trace, 'flags'>, flags: number): JoinTrace => [
    keys.id,
    traces.server,
    written.narrow,
    written.wide,
    written.hints,
    flags,
  ];

  const seenFrom = (wide: number) => memory.countNeighbours(wide) + (moved.get(wide) ?? 0);

  function noteMoved(wide: number): void {
    if (moved.size === MAX_MOVED) moved.clear();
    moved.set(wide, (moved.get(wide) ?? 0) + 1);
  }

  function recallJoin(ownCode: string) {
    const join = memory.find('ownCode', hash32(ownCode));
    if (join === null) return null;
    const read = (field: Parameters<typeof memory.read>[0]) => memory.read(field, join);
    const trace = { narrow: read('narrow'), wide: read('wide'), hints: read('hints') };
    return { join, flags: read('flags'), trace };
  }

  return {
    watch(request, { identity, code }) {
      const askedAt = Date.now();
      const { written, known } = tracesOf(request);
      const { isLoaded, isFast } = pages.judge(written.narrow, askedAt / 1000);
      const flags = (isLoaded ? Flag.pageLoaded : 0) | (isFast ? Flag.fast : 0);
      const join = assessor.remember({ ...known, flags, mailbox: mailboxOf(identity), code });
      return {
        signals: assessor.assess(join),
        ownMailboxWeight: weightToLookUp(code),
        trace: traceOf(written, flags),
        settle(answer) {
          const memberId = answer?.memberId ?? null;
          // A repeated join is answered with its earlier id, which is older than this request.
          if (answer === null || memberId === null || joinedMsOf(memberId) < askedAt)
            return memory.drop(join);
          memory.setOwnCode(join, hash32(answer.referralCode ?? ''));
        },
      };
    },
    // Rated like a join with the code, from the network of the join or of this request, whichever
    // more joins came from: neither hides the other.
    watchInviter(request, { identity, ownCode, code }) {
      const mailbox = mailboxOf(identity);
      const { written, known } = tracesOf(request);
      const joined = recallJoin(ownCode);
      if (joined !== null) memory.drop(joined.join);
      const isHere = joined === null || seenFrom(known.wide) >= seenFrom(joined.trace.wide);
      // Only the join itself shows how the form was sent.
      const flags = joined?.flags ?? Flag.pageLoaded;
      const join = assessor.remember({
        ...(isHere ? known : joined.trace),
        flags,
        mailbox,
        code,
      });
      return {
        signals: assessor.assess(join),
        ownMailboxWeight: weightToLookUp(code),
        trace: isHere ? traceOf(written, flags) : null,
        settle(isGiven) {
          if (isGiven) {
            memory.setOwnCode(join, hash32(ownCode));
            if (isHere && joined !== null) noteMoved(joined.trace.wide);
            return;
          }
          memory.drop(join);
          if (joined === null) return;
          const again = assessor.remember({ ...joined.trace, flags, mailbox, code: null });
          memory.setOwnCode(again, hash32(ownCode));
        },
      };
    },
    notePage(ip) {
      const networks = networksOf(ip, isLoopbackProxy);
      if (networks === null) return;
      pages.note(keys.hash('narrow', networks.narrow).written, Date.now() / 1000);
    },
    flush: traces.flush,
    async close() {
      clearInterval(renewal);
      await traces.close();
    },
  };
}

const NOT_WATCHED = { signals: null, ownMailboxWeight: null, trace: null, settle: () => {} };

const NO_FAIRNESS: FairnessGuard = {
  watch: () => NOT_WATCHED,
  watchInviter: () => NOT_WATCHED,
  notePage: () => {},
  flush: async () => {},
  close: async () => {},
};

/** Null behind a local proxy that no setting names: all visitors would have one address. */
export function networksOf(ip: string, isLoopbackProxy: boolean) {
  if (isLoopback(ip) && !isLoopbackProxy) return null;
  const narrow = limitKeyOf(ip);
  if (narrow === 'unknown') return null;
  const wide = narrow.includes(':')
    ? `${narrow.split(':').slice(0, 3).join(':')}::/48`
    : `${narrow.slice(0, narrow.lastIndexOf('.'))}.0/24`;
  return { narrow, wide };
}
