/** Work that outlives the server that began it (decision 0162). */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/database.ts';
import { mayAct } from '../db/possible-copy.ts';
import { letOthersIn } from '../db/scheduled-work.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { logFailure } from '../http/request-log.ts';
import { retryDelayMs } from '../retry-delay-rules.ts';
import * as store from './work-store.ts';

export type Job<Progress> = {
  readonly key: string;
  /** What the last step stored. */
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
  /** Begins work in the transaction that decides it. Work of the same key begins anew. */
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

const STOP_PATIENCE_MS = 5_000;

/** Ends `run` without a failure. */
class Interrupted extends Error {}

export async function openEngine({ database, log, isStopping = () => false }: EngineOptions) {
  const kinds = new Map<string, WorkKind<never>>();
  /** Work under way in this process, by claim. */
  const running = new Map<string, store.WorkRef & { readonly end: Promise<unknown> }>();
  const closing = new AbortController();
  const isOver = () => closing.signal.aborted || isStopping();
  // The embedded engine has one server, and what it left is its own.
  if (database.engine === 'embedded') await store.releaseWork(database);

  /** Resolves to the last progress of ended work. Null: it failed. Undefined: it goes on. */
  function start(work: store.ClaimedWork): Promise<unknown> {
    const end = make(work).finally(() => running.delete(work.claim));
    running.set(work.claim, { ...work, end });
    return end;
  }

  async function make({ kind, claim, ...claimed }: store.ClaimedWork): Promise<unknown> {
    let isEnded = false;
    const job = {
      ...claimed,
      signal: closing.signal,
      isHeld: async () => !isOver() && (await store.isClaimed(database, claim)),
      async step(change: (transaction: Transaction) => Promise<unknown>): Promise<void> {
        if (isOver() || isEnded) throw new Interrupted();
        const next = await inTransaction(database, async (transaction) => {
          if (!(await store.lockClaim(transaction, claim))) throw new Interrupted();
          const made = await change(transaction);
          await store.endStep(transaction, claim, made === undefined ? job.progress : made);
          return made;
        });
        job.failures = 0;
        if (next === null) isEnded = true;
        else if (next !== undefined) job.progress = next;
      },
    };
    let delayMs = 0;
    try {
      await kinds.get(kind)?.run(job as Job<never>);
    } catch (error) {
      if (!(error instanceof Interrupted)) {
        logFailure(log, 'error', error, `${kind} failed`);
        delayMs = retryDelayMs(job.failures + 1, Math.random());
      }
    }
    if (isEnded) return job.progress;
    // The claim ends by itself while the database is away.
    await store.releaseClaim(database, claim, delayMs).catch(() => {});
    return delayMs > 0 ? null : undefined;
  }

  async function finish({ kind, key }: store.WorkRef): Promise<unknown> {
    for (;;) {
      const known = [...running.values()].find((work) => work.kind === kind && work.key === key);
      const [claimed] = known ? [] : await store.claimWork(database, { kinds: [kind], key });
      const progress = await (claimed ? start(claimed) : known?.end);
      if (progress !== undefined) return progress;
      await letOthersIn();
      if (isOver() || !(await store.listWork(database.kysely, kind)).includes(key)) return null;
    }
  }

  return {
    addKind<Progress>(kind: WorkKind<Progress>): Work<Progress> {
      const { name } = kind;
      kinds.set(name, kind);
      return {
        begin: (transaction, key, progress) =>
          store.beginWork(transaction, { kind: name, key }, progress),
        finish: (key) => finish({ kind: name, key }) as Promise<Progress | null>,
      };
    },

    /** Claims what is due, and renews what is under way. Returns the ends of what it began. */
    async goOn(): Promise<readonly Promise<unknown>[]> {
      if (isOver()) return [];
      const isActing = await mayAct(database);
      const allowed = [...kinds.values()].filter(({ acts }) => isActing || !acts);
      const names = allowed.map(({ name }) => name);
      const claims = [...running.keys()];
      if (claims.length > 0) await store.renewClaims(database, { kinds: names, claims });
      return (await store.claimWork(database, { kinds: names })).map(start);
    },

    async close(): Promise<void> {
      closing.abort();
      const ends = Promise.all([...running.values()].map(({ end }) => end));
      await Promise.race([ends, delay(STOP_PATIENCE_MS, null, { ref: false })]);
    },
  };
}
