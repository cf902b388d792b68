/** A killed process loses the counts of at most one interval. */
import type { Database } from '../../db/database.ts';
import type { LimitClock } from './clock.ts';
import type { PendingCount, RateWindow } from './rate-window.ts';
import { type AddedRow, readCounts, type Settled, settleCounts } from './store.ts';

const SETTLE_EVERY_MS = 500;
/** The embedded database only stores counts for the next start, and each commit is an fsync. */
const SETTLE_EMBEDDED_EVERY_MS = 2_000;
/** This much is read again: transactions that began earlier may have committed since. */
const OVERLAP_MS = 5_000;
const MAX_ROWS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;

type SharedCountsOptions = {
  readonly database: Database;
  readonly windows: readonly RateWindow[];
  readonly clock: LimitClock;
  readonly onFailure: (error: unknown) => void;
};

export async function openSharedCounts(options: SharedCountsOptions) {
  const { database, windows, clock, onFailure } = options;
  const byRule = new Map(windows.map((window) => [window.rule.name, window]));
  const isShared = database.engine === 'postgres';
  let timer: NodeJS.Timeout | null = null;
  let underWay: Promise<void> | null = null;
  let answeredAt = performance.now();
  let isUnavailable = false;
  let isClosed = false;

  await exchange(() => readCounts(database), []);

  async function exchange(query: () => Promise<Settled>, sent: readonly Sent[]) {
    const began = performance.now();
    const { databaseMs, rows } = await query();
    answeredAt = performance.now();
    clock.synchronize(databaseMs, { began, ended: answeredAt });
    const sentByName = new Map(
      sent.map((each) => [nameOf(each.window.rule.name, each.key, each.beganAt), each]),
    );
    for (const { rule, key: text, began_ms: beganAt, count } of rows) {
      const key = Buffer.from(text, 'base64url').toString('latin1');
      const own = sentByName.get(nameOf(rule, key, beganAt));
      if (own === undefined) byRule.get(rule)?.learn({ key, beganAt, total: count });
      else own.window.settle(own, count);
    }
  }

  function takePending(): Sent[] {
    const sent: Sent[] = [];
    for (const window of windows)
      for (const each of window.pending()) {
        if (sent.length === MAX_ROWS) return sent;
        sent.push({ ...each, window });
      }
    return sent;
  }

  async function settle(): Promise<void> {
    const sent = takePending();
    if (sent.length === 0 && !isShared) return;
    const sinceMs = isShared ? performance.now() - answeredAt + OVERLAP_MS : 0;
    try {
      await exchange(() => settleCounts(database, { added: sent.map(rowOf), sinceMs }), sent);
      isUnavailable = false;
      if (sent.length === MAX_ROWS) schedule();
    } catch (error) {
      if (!isUnavailable) onFailure(error);
      isUnavailable = true;
      schedule();
    }
  }

  function schedule(): void {
    if (isClosed || timer !== null) return;
    timer = setTimeout(
      () => {
        timer = null;
        if (underWay !== null) return schedule();
        underWay = settle().finally(() => {
          underWay = null;
        });
      },
      isShared ? SETTLE_EVERY_MS : SETTLE_EMBEDDED_EVERY_MS,
    ).unref();
  }

  return {
    schedule,
    async close(): Promise<void> {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      const last = (async () => {
        await underWay;
        await settle();
      })();
      await Promise.race([
        last,
        new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref()),
      ]);
    },
  };
}

type Sent = PendingCount & { readonly window: RateWindow };

function nameOf(rule: string, key: string, beganAt: number): string {
  return `${rule} ${beganAt} ${key}`;
}

function rowOf({ window: { rule }, key, beganAt, added }: Sent): AddedRow {
  return {
    rule: rule.name,
    key: Buffer.from(key, 'latin1').toString('base64url'),
    began_ms: beganAt,
    count: added,
    expires_ms: beganAt + 2 * rule.seconds * 1000,
  };
}
