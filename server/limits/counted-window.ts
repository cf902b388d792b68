/** What was counted in one window: exactly for as many keys as there is room for, at least as much as was counted for all others. */
import type { LimitRule } from './limit-rules.ts';
import { openSketch, type Sketch } from './sketch.ts';

/** Distinct keys that are counted exactly, and more of those that are counted often: 3 MB, a window and rule. */
const EXACT_KEYS = 10_000;
const EXACT_OFTEN = 20_000;

/** `unsettled` is what this server has added, or given back, since the database last answered. */
type Entry = { total: number; unsettled: number };

export type CountedWindow = {
  count(key: string): number;
  add(key: string): void;
  /** Takes one back, where keys are counted exactly: what is counted with others is never made less. */
  giveBack(key: string): void;
  /** What all servers have counted, as the database knows it. */
  learn(key: string, total: number): void;
  /** What the database should be told of. */
  unsettled(): { key: string; added: number }[];
  /** The database has been told that so much was added, and answers the count of all servers. */
  settle(key: string, added: number, total: number): void;
};

export function openCountedWindow({ most, sharedFrom, sketchCells }: LimitRule): CountedWindow {
  const exact = new Map<string, Entry>();
  const changed = new Set<string>();
  let sketch: Sketch | null = null;

  function note(key: string, entry: Entry): void {
    if (entry.unsettled !== 0 && entry.total >= sharedFrom) changed.add(key);
  }

  /** Nothing is ever made room for: a key that was counted stays counted until the window is over. */
  function addInexactly(key: string): void {
    if (sketch === null && exact.size >= EXACT_KEYS) sketch = openSketch(sketchCells, most);
    const total = sketch === null ? 1 : sketch.add(key);
    const isExact = exact.size < EXACT_KEYS || (total >= sharedFrom && exact.size < EXACT_OFTEN);
    if (!isExact) return;
    const entry = { total, unsettled: total };
    exact.set(key, entry);
    note(key, entry);
  }

  return {
    count: (key) => exact.get(key)?.total ?? sketch?.count(key) ?? 0,
    add(key) {
      const entry = exact.get(key);
      if (entry === undefined) return addInexactly(key);
      entry.total += 1;
      entry.unsettled += 1;
      note(key, entry);
    },
    giveBack(key) {
      const entry = exact.get(key);
      if (entry === undefined || entry.total === 0) return;
      entry.total -= 1;
      entry.unsettled -= 1;
      if (entry.unsettled < 0) changed.add(key);
      // One that the database is being told of has to be there when it answers.
      if (entry.total === 0 && !changed.has(key)) exact.delete(key);
    },
    learn(key, total) {
      const entry = exact.get(key);
      if (entry !== undefined) entry.total = total + entry.unsettled;
      else if (exact.size < EXACT_OFTEN) {
        const own = sketch?.count(key) ?? 0;
        const learned = { total: total + own, unsettled: own };
        exact.set(key, learned);
        note(key, learned);
      }
    },
    unsettled() {
      const found: { key: string; added: number }[] = [];
      for (const key of changed) {
        const added = exact.get(key)?.unsettled ?? 0;
        if (added === 0) changed.delete(key);
        else found.push({ key, added });
      }
      return found;
    },
    settle(key, added, total) {
      const entry = exact.get(key);
      if (entry === undefined) return;
      entry.unsettled -= added;
      entry.total = Math.max(0, total + entry.unsettled);
      if (entry.unsettled === 0) changed.delete(key);
    },
  };
}
