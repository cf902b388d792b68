/** Counts requests by key in a sliding window, in bounded memory. Fails closed, never evicts. */
import { type LimitRule, type WindowCounts, windowAt } from './limit-rules.ts';

/** The count of one key in the window that began at `beganAt`, as stored in the database. */
type StoredCount = { readonly key: string; readonly beganAt: number; readonly total: number };

/** Requests that this server counted or refunded and the database does not have yet. */
export type PendingCount = {
  readonly key: string;
  readonly beganAt: number;
  readonly added: number;
};

export type RateWindow = {
  readonly rule: LimitRule;
  counts(key: string): WindowCounts;
  /** False for a new key while the window is full. */
  hasSpaceFor(key: string): boolean;
  add(key: string): void;
  refund(key: string): void;
  learn(stored: StoredCount): void;
  pending(): Iterable<PendingCount>;
  /** Call once the database has added `pending`, with the new total of all servers. */
  settle(pending: PendingCount, total: number): void;
};

export function openRateWindow(rule: LimitRule, now: () => number): RateWindow {
  const lengthMs = rule.seconds * 1000;
  let index = -1;
  let current = openFixedWindow(rule);
  let previous = openFixedWindow(rule);

  /** Begins the window of this moment; returns how much of it has passed, from 0 to 1. */
  function advance(): number {
    const at = windowAt(rule, now());
    if (at.index > index) {
      previous = at.index === index + 1 ? current : openFixedWindow(rule);
      current = openFixedWindow(rule);
      index = at.index;
    }
    return at.passed;
  }

  function windowThatBeganAt(beganAt: number): FixedWindow | null {
    const wanted = Math.round(beganAt / lengthMs);
    return wanted === index ? current : wanted === index - 1 ? previous : null;
  }

  return {
    rule,
    counts(key) {
      const passed = advance();
      return { current: current.count(key), previous: previous.count(key), passed };
    },
    hasSpaceFor(key) {
      advance();
      return current.hasSpaceFor(key);
    },
    add(key) {
      advance();
      current.add(key);
    },
    refund(key) {
      advance();
      current.refund(key);
    },
    learn({ key, beganAt, total }) {
      advance();
      windowThatBeganAt(beganAt)?.learn(key, total);
    },
    *pending() {
      advance();
      for (const [key, added] of previous.pending())
        yield { key, added, beganAt: (index - 1) * lengthMs };
      for (const [key, added] of current.pending()) yield { key, added, beganAt: index * lengthMs };
    },
    settle({ key, beganAt, added }, total) {
      windowThatBeganAt(beganAt)?.settle(key, added, total);
    },
  };
}

type FixedWindow = ReturnType<typeof openFixedWindow>;

function openFixedWindow({ maxKeys, sharedFrom }: LimitRule) {
  /** Counts of all servers, as far as this one has them. */
  const totals = new Map<string, number>();
  /** The totals in the database; the rest of `totals` is pending. */
  const stored = new Map<string, number>();
  const changed = new Set<string>();

  const count = (key: string) => totals.get(key) ?? 0;
  const pendingOf = (key: string) => count(key) - (stored.get(key) ?? 0);
  const hasSpaceFor = (key: string) => totals.has(key) || totals.size < maxKeys;

  function update(key: string, total: number): void {
    totals.set(key, Math.max(0, total));
    if (pendingOf(key) === 0) changed.delete(key);
    else if (stored.has(key) || total >= sharedFrom) changed.add(key);
  }

  function store(key: string, total: number, pending: number): void {
    stored.set(key, total);
    update(key, total + pending);
  }

  return {
    count,
    hasSpaceFor,
    add(key: string): void {
      if (hasSpaceFor(key)) update(key, count(key) + 1);
    },
    refund(key: string): void {
      if (count(key) > 0) update(key, count(key) - 1);
      if (count(key) === 0 && !stored.has(key)) totals.delete(key);
    },
    learn(key: string, total: number): void {
      if (hasSpaceFor(key)) store(key, total, pendingOf(key));
    },
    *pending(): Iterable<[key: string, added: number]> {
      for (const key of changed) yield [key, pendingOf(key)];
    },
    settle(key: string, added: number, total: number): void {
      store(key, total, pendingOf(key) - added);
    },
  };
}
