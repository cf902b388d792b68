/** Counts what is asked under one rule: in the window that is now and the one before it. */
import { type CountedWindow, openCountedWindow } from './counted-window.ts';
import { type LimitRule, type WindowCounts, windowAt } from './limit-rules.ts';

/** What the database keeps of one key. */
type KeptCount = { readonly key: string; readonly beganAt: number; readonly total: number };

/** What it is told. */
export type AddedCount = { readonly key: string; readonly beganAt: number; readonly added: number };

export type Counter = {
  readonly rule: LimitRule;
  counts(key: string): WindowCounts;
  add(key: string): void;
  giveBack(key: string): void;
  learn(kept: KeptCount): void;
  unsettled(): AddedCount[];
  settle(added: AddedCount, total: number): void;
};

/** `now` never goes back, and is not asked before something is counted. */
export function openCounter(rule: LimitRule, now: () => number): Counter {
  let index = -1;
  let current = openCountedWindow(rule);
  let previous = openCountedWindow(rule);

  function turn(): number {
    const at = windowAt(rule, now());
    if (at.index > index) {
      previous = at.index === index + 1 ? current : openCountedWindow(rule);
      current = openCountedWindow(rule);
      index = at.index;
    }
    return at.passed;
  }

  const lengthMs = rule.seconds * 1000;
  function windowOf(beganAt: number): CountedWindow | null {
    const of = Math.round(beganAt / lengthMs);
    return of === index ? current : of === index - 1 ? previous : null;
  }

  return {
    rule,
    counts(key) {
      const passed = turn();
      return { current: current.count(key), previous: previous.count(key), passed };
    },
    add(key) {
      turn();
      current.add(key);
    },
    giveBack(key) {
      turn();
      current.giveBack(key);
    },
    learn({ key, beganAt, total }) {
      turn();
      windowOf(beganAt)?.learn(key, total);
    },
    unsettled() {
      turn();
      const of = (window: CountedWindow, beganAt: number) =>
        window.unsettled().map(({ key, added }) => ({ key, beganAt, added }));
      return [...of(previous, (index - 1) * lengthMs), ...of(current, index * lengthMs)];
    },
    settle({ key, beganAt, added }, total) {
      windowOf(beganAt)?.settle(key, added, total);
    },
  };
}
