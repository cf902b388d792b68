/** A killed process loses the counts of at most one interval. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { repeat } from '../../db/scheduled-work.ts';
import type { KeyCount, RateWindow } from './rate-window.ts';
import { settleCounts } from './store.ts';

const SETTLE_EVERY_MS = 500;
/** The embedded database only stores counts for the next start, and each commit is an fsync. */
const SETTLE_EMBEDDED_EVERY_MS = 2_000;
/** This much is read again: transactions that began earlier may have committed since. */
const OVERLAP_MS = 5_000;
const MAX_ROWS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** The clock follows slowly: one that is set must not end windows early or repeat them. */
const MAX_CORRECTION_MS = 100;

type LimitClock = ReturnType<typeof openLimitClock>;

/** The database's clock. */
export function openLimitClock() {
  let offset: number | null = null;
  return {
    now: () => performance.now() + (offset ?? 0),
    follow(measured: number): void {
      const change = measured - (offset ?? measured);
      offset =
        (offset ?? measured) + Math.max(-MAX_CORRECTION_MS, Math.min(MAX_CORRECTION_MS, change));
    },
  };
}

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
  let readAt = performance.now() - Math.max(...windows.map(keptMsOf));
  let isUnavailable = false;
  let isDue = false;

  await exchange([]);

  async function exchange(taken: readonly Taken[]): Promise<void> {
    const beganAt = performance.now();
    const { databaseMs, counts } = await settleCounts(database, {
      added: taken.map(({ window, ...count }) => ({
        ...count,
        rule: window.rule.name,
        expiresAt: count.beganAt + keptMsOf(window),
      })),
      sinceMs: beganAt - readAt + OVERLAP_MS,
    });
    readAt = performance.now();
    clock.follow(databaseMs - (beganAt + readAt) / 2);
    for (const { rule, ...count } of counts) byRule.get(rule)?.learn(count);
  }

  function takeSome(): Taken[] {
    const taken: Taken[] = [];
    for (const window of windows)
      for (const count of window.take()) {
        taken.push({ ...count, window });
        if (taken.length === MAX_ROWS) return taken;
      }
    return taken;
  }

  async function settle(): Promise<void> {
    const taken = takeSome();
    if (taken.length === 0 && !isShared) return;
    try {
      await exchange(taken);
      isUnavailable = false;
      if (taken.length === MAX_ROWS) isDue = true;
    } catch (error) {
      for (const { window, ...count } of taken) window.putBack(count);
      if (!isUnavailable) onFailure(error);
      isUnavailable = true;
      isDue = true;
    }
  }

  const settling = {
    name: 'sharing rate limits',
    everyMs: isShared ? SETTLE_EVERY_MS : SETTLE_EMBEDDED_EVERY_MS,
    async run() {
      if (!isDue) return;
      isDue = false;
      await settle();
    },
  };
  const stop = repeat([settling], (_name, error) => onFailure(error));
  return {
    /** An idle server sends the database nothing. */
    schedule(): void {
      isDue = true;
    },
    close: () => Promise.race([stop().then(settle), delay(CLOSE_TIMEOUT_MS, null, { ref: false })]),
  };
}

type Taken = KeyCount & { readonly window: RateWindow };

/** A window counts while it is the current or the previous one. */
function keptMsOf({ rule }: RateWindow): number {
  return 2 * rule.seconds * 1000;
}
