/** Counts requests by key in a sliding window, in bounded memory. Fails closed, never evicts. */
import { type LimitRule, type WindowCounts, windowAt } from './limit-rules.ts';

type StoredCount = { readonly key: string; readonly beganAt: number; readonly total: number };

export type PendingCount = {
  readonly key: string;
  readonly beganAt: number;
  readonly added: number;
};

export type RateWindow = ReturnType<typeof openRateWindow>;

export function openRateWindow(rule: LimitRule, now: () => number) {
  const lengthMs = rule.seconds * 1000;
  let index = -1;
  let current = openFixedWindow(rule);
  let previous = openFixedWindow(rule);

  function advance(): number {
    const at = windowAt(rule, now());
    if (at.index > index) {
      previous = at.index === index + 1 ? current : openFixedWindow(rule);
      current = openFixedWindow(rule);
      index = at.index;
    }
    return at.passed;
  }

  function currentWindow(): FixedWindow {
    advance();
    return current;
  }

  function windowThatBeganAt(beganAt: number): FixedWindow | null {
    const wanted = Math.round(beganAt / lengthMs);
    return wanted === index ? current : wanted === index - 1 ? previous : null;
  }

  return {
    rule,
    counts(key: string): WindowCounts {
      const passed = advance();
      return { current: current.count(key), previous: previous.count(key), passed };
    },
    hasSpaceFor: (key: string) => currentWindow().hasSpaceFor(key),
    add: (key: string) => currentWindow().add(key),
    refund: (key: string) => currentWindow().refund(key),
    learn({ key, beganAt, total }: StoredCount): void {
      advance();
      windowThatBeganAt(beganAt)?.learn(key, total);
    },
    *pending(): Iterable<PendingCount> {
      advance();
      for (const [key, added] of previous.pending())
        yield { key, added, beganAt: (index - 1) * lengthMs };
      for (const [key, added] of current.pending()) yield { key, added, beganAt: index * lengthMs };
    },
    /** Call once the database has added `pending`, with the new total of all servers. */
    settle({ key, beganAt, added }: PendingCount, total: number): void {
      windowThatBeganAt(beganAt)?.settle(key, added, total);
    },
  };
}

type FixedWindow = ReturnType<typeof openFixedWindow>;

function openFixedWindow({ maxKeys, sharedFrom }: LimitRule) {
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
