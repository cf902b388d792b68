/** Counts requests by key in a sliding window, in bounded memory. Fails closed, never evicts. */
import { type LimitRule, type WindowCounts, windowAt } from './limit-rules.ts';

export type KeyCount = { readonly key: string; readonly beganAt: number; readonly count: number };

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
    advance();
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
    /** Takes over the total of all servers, which has what was taken here. */
    learn: ({ key, beganAt, count }: KeyCount) => windowThatBeganAt(beganAt)?.learn(key, count),
    /** Takes what is to be added to the totals of all servers. */
    *take(): Iterable<KeyCount> {
      advance();
      for (const [window, beganAt] of [
        [previous, (index - 1) * lengthMs],
        [current, index * lengthMs],
      ] as const)
        for (const [key, count] of window.take()) yield { key, beganAt, count };
    },
    /** Call with what was taken and could not be added. */
    putBack: ({ key, beganAt, count }: KeyCount) => windowThatBeganAt(beganAt)?.putBack(key, count),
  };
}

type FixedWindow = ReturnType<typeof openFixedWindow>;

function openFixedWindow({ maxKeys, sharedFrom }: LimitRule) {
  const totals = new Map<string, number>();
  /** The part of the totals that other servers know, or soon will. */
  const shared = new Map<string, number>();
  const changed = new Set<string>();

  const count = (key: string) => totals.get(key) ?? 0;
  const unsharedOf = (key: string) => count(key) - (shared.get(key) ?? 0);
  const hasSpaceFor = (key: string) => totals.has(key) || totals.size < maxKeys;

  function update(key: string, total: number): void {
    totals.set(key, Math.max(0, total));
    if (unsharedOf(key) === 0) changed.delete(key);
    else if (shared.has(key) || total >= sharedFrom) changed.add(key);
  }

  return {
    count,
    hasSpaceFor,
    add(key: string): void {
      if (hasSpaceFor(key)) update(key, count(key) + 1);
    },
    refund(key: string): void {
      if (count(key) > 0) update(key, count(key) - 1);
      if (count(key) === 0 && !shared.has(key)) totals.delete(key);
    },
    learn(key: string, total: number): void {
      if (!hasSpaceFor(key)) return;
      const unshared = unsharedOf(key);
      shared.set(key, total);
      update(key, total + unshared);
    },
    *take(): Iterable<[key: string, unshared: number]> {
      for (const key of changed) {
        const unshared = unsharedOf(key);
        shared.set(key, count(key));
        changed.delete(key);
        yield [key, unshared];
      }
    },
    putBack(key: string, taken: number): void {
      shared.set(key, (shared.get(key) ?? 0) - taken);
      update(key, count(key));
    },
  };
}
