/**
 * Brings the counts of this server and those of the database together, in the background: no request waits for it. What is not settled
 * yet when the process is killed is lost, at most the counts of one interval.
 */
import type { Database } from '../db/database.ts';
import type { LimitClock } from './clock.ts';
import type { AddedCount, Counter } from './counter.ts';
import { type AddedRow, readCounts, type Settled, settleCounts } from './store.ts';

/** Servers of one PostgreSQL learn from each other what was counted. */
const SETTLE_EVERY_MS = 500;
/** The embedded database keeps the counts for the next start alone, and each commit waits for the disk. */
const SETTLE_EMBEDDED_EVERY_MS = 2_000;
/** Changes of others whose transactions began before an answer and ended after it are asked for again. */
const OVERLAP_MS = 5_000;
const ROWS_AT_ONCE = 5_000;
/** How long a stopping server waits for a database that may be away. */
const STOP_MS = 2_000;

export type SharedCounts = {
  /** Something was counted: it is settled within the interval. */
  touch(): void;
  /** Settles what is left. */
  close(): Promise<void>;
};

type SharedCountsOptions = {
  readonly database: Database;
  readonly counters: readonly Counter[];
  readonly clock: LimitClock;
  /** Told once when the database does not answer, until it does again. */
  readonly onFailure: (error: unknown) => void;
};

/** Has heard the database's time, and learned all that it keeps, when it answers. */
export async function openSharedCounts(options: SharedCountsOptions): Promise<SharedCounts> {
  const { database, counters, clock, onFailure } = options;
  const byRule = new Map(counters.map((counter) => [counter.rule.name, counter]));
  const isShared = database.engine === 'postgres';
  let timer: NodeJS.Timeout | null = null;
  let underWay: Promise<void> | null = null;
  let answeredAt = performance.now();
  let isAway = false;
  let isClosed = false;

  await exchange(() => readCounts(database), []);

  async function exchange(ask: () => Promise<Settled>, sent: readonly (AddedCount & { counter: Counter })[]) {
    const asked = performance.now();
    const { databaseMs, rows } = await ask();
    answeredAt = performance.now();
    clock.hear(databaseMs, { asked, answered: answeredAt });
    const sentOf = new Map(sent.map((each) => [nameOf(each.counter.rule.name, each.key, each.beganAt), each]));
    for (const { rule, key: text, beganAt, count } of rows) {
      const key = Buffer.from(text, 'base64url').toString('latin1');
      const own = sentOf.get(nameOf(rule, key, beganAt));
      if (own === undefined) byRule.get(rule)?.learn({ key, beganAt, total: count });
      else own.counter.settle(own, count);
    }
  }

  async function settle(): Promise<void> {
    const sent = counters
      .flatMap((counter) => counter.unsettled().map((added) => ({ ...added, counter })))
      .slice(0, ROWS_AT_ONCE);
    if (sent.length === 0 && !isShared) return;
    const sinceMs = isShared ? performance.now() - answeredAt + OVERLAP_MS : 0;
    try {
      await exchange(() => settleCounts(database, { added: sent.map(rowOf), sinceMs }), sent);
      isAway = false;
      if (sent.length === ROWS_AT_ONCE) touch();
    } catch (error) {
      if (!isAway) onFailure(error);
      isAway = true;
      touch();
    }
  }

  function touch(): void {
    if (isClosed || timer !== null) return;
    timer = setTimeout(
      () => {
        timer = null;
        if (underWay !== null) return touch();
        underWay = settle().finally(() => {
          underWay = null;
        });
      },
      isShared ? SETTLE_EVERY_MS : SETTLE_EMBEDDED_EVERY_MS,
    ).unref();
  }

  return {
    touch,
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      const last = (async () => {
        await underWay;
        await settle();
      })();
      await Promise.race([last, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

function nameOf(rule: string, key: string, beganAt: number): string {
  return `${rule} ${beganAt} ${key}`;
}

function rowOf({ counter: { rule }, key, beganAt, added }: AddedCount & { counter: Counter }): AddedRow {
  return {
    rule: rule.name,
    key: Buffer.from(key, 'latin1').toString('base64url'),
    beganAt,
    count: added,
    expiresAt: beganAt + 2 * rule.seconds * 1000,
  };
}
