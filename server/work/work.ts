/** Work that outlives the server that began it (decision 0162). */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/database.ts';
import { mayAct } from '../db/possible-copy.ts';
import { letOthersIn } from '../db/scheduled-work.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { logFailure } from '../http/request-log.ts';
import { retryDelayMs } from '../retry-delay-rules.ts';
import {
  beginWork,
  type ClaimedWork,
  claimWork,
  endWork,
  isClaimed,
  listWork,
  lockClaim,
  releaseClaim,
  releaseWork,
  renewClaims,
  saveProgress,
} from './work-store.ts';

export type Job<Progress> = {
  readonly key: string;
  /** As the last step left it. */
  readonly progress: Progress;
  /** How often it was tried since the last step. */
  readonly failures: number;
  /** Is aborted when the server stops. */
  readonly signal: AbortSignal;
  /** Whether no other server may have taken the work over. */
  isHeld(): Promise<boolean>;
  /**
   * Makes a step in a transaction, which stores the progress that it returns: null ends the work,
   * undefined leaves it. Throws what ends `run`, once the server stops or the claim is lost.
   */
  step(make: (transaction: Transaction) => Promise<Progress | null> | Promise<void>): Promise<void>;
};

type WorkKind<Progress> = {
  readonly name: string;
  /** Sends something, which a possible copy of the line must not. */
  readonly acts?: true;
  /** Makes steps until one ends the work. What throws is tried again, later every time. */
  run(job: Job<Progress>): Promise<void>;
};

/** The work of one kind. */
export type Work<Progress> = {
  /** In the transaction that decides it. Work of the same key begins anew. */
  begin(transaction: Transaction, key: string, progress: Progress): Promise<void>;
  /** Returns the last progress. Null: it goes on by itself, or another server has ended it. */
  finish(key: string): Promise<Progress | null>;
};

export type Engine = Awaited<ReturnType<typeof openEngine>>;

type EngineOptions = {
  readonly database: Database;
  readonly log: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>;
  isStopping?(): boolean;
};

/** Until then, work is left to the server that began it. */
const OWN_FOR_MS = 5_000;
const STOP_PATIENCE_MS = 5_000;

/** Ends `run` without a failure. */
class Interrupted extends Error {}

export async function openEngine({ database, log, isStopping = () => false }: EngineOptions) {
  const kinds = new Map<string, WorkKind<never>>();
  const running = new Map<string, { readonly claim: string; readonly end: Promise<unknown> }>();
  const closing = new AbortController();
  const isOver = () => closing.signal.aborted || isStopping();
  // The embedded engine has one server, and what it left is its own.
  if (database.engine === 'embedded') await releaseWork(database);

  /** Resolves to the last progress of work that has ended, and otherwise to null. */
  function start(work: ClaimedWork): Promise<unknown> {
    const id = idOf(work.kind, work.key);
    const end = make(work).finally(() => {
      if (running.get(id)?.claim === work.claim) running.delete(id);
    });
    running.set(id, { claim: work.claim, end });
    return end;
  }

  async function make({ kind, key, claim, failures, ...claimed }: ClaimedWork): Promise<unknown> {
    let { progress } = claimed;
    let isEnded = false;
    const job: Job<unknown> = {
      key,
      failures,
      signal: closing.signal,
      get progress() {
        return progress;
      },
      isHeld: async () => !isOver() && (await isClaimed(database, claim)),
      async step(change) {
        if (isOver() || isEnded) throw new Interrupted();
        const next = await inTransaction(database, async (transaction) => {
          if (!(await lockClaim(transaction, claim))) throw new Interrupted();
          const made = (await change(transaction)) as unknown;
          if (made === null) await endWork(transaction, claim);
          else await saveProgress(transaction, claim, made === undefined ? progress : made);
          return made;
        });
        if (next === null) isEnded = true;
        else if (next !== undefined) progress = next;
      },
    };
    try {
      await kinds.get(kind)?.run(job as Job<never>);
    } catch (error) {
      if (!(error instanceof Interrupted)) {
        await releaseClaim(database, claim, retryDelayMs(failures + 1, Math.random()));
        throw error;
      }
    }
    if (isEnded) return progress;
    await releaseClaim(database, claim);
    return null;
  }

  async function finish(kind: string, key: string): Promise<unknown> {
    for (;;) {
      const known = running.get(idOf(kind, key));
      const [claimed] = known ? [] : await claimWork(database, { kinds: [kind], key });
      const progress = await (claimed ? start(claimed) : known?.end);
      if (progress != null) return progress;
      await letOthersIn();
      if (isOver() || !(await listWork(database.kysely, kind)).includes(key)) return null;
    }
  }

  return {
    addKind<Progress>(kind: WorkKind<Progress>): Work<Progress> {
      const { name } = kind;
      kinds.set(name, kind);
      return {
        begin: (transaction, key, progress) =>
          beginWork(transaction, { kind: name, key }, { progress, delayMs: OWN_FOR_MS }),
        finish: (key) => finish(name, key) as Promise<Progress | null>,
      };
    },

    /** Claims what is due, and renews what is under way. Returns the ends of what it began. */
    async goOn(): Promise<readonly Promise<unknown>[]> {
      if (isOver()) return [];
      const isActing = await mayAct(database);
      const allowed = [...kinds.values()].filter(({ acts }) => isActing || !acts);
      const names = allowed.map(({ name }) => name);
      const claims = [...running.values()].map(({ claim }) => claim);
      if (claims.length > 0) await renewClaims(database, { kinds: names, claims });
      const claimed = await claimWork(database, { kinds: names });
      return claimed.map((work) => {
        const end = start(work);
        end.catch((error: unknown) => logFailure(log, 'error', error, `${work.kind} failed`));
        return end;
      });
    },

    async close(): Promise<void> {
      closing.abort();
      const ends = [...running.values()].map(({ end }) => end);
      const patience = delay(STOP_PATIENCE_MS, null, { ref: false });
      await Promise.race([Promise.allSettled(ends), patience]);
    },
  };
}

function idOf(kind: string, key: string): string {
  return `${kind}/${key}`;
}
