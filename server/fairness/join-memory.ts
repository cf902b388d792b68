/** A million joins take 69 MB. The newest replaces the oldest. */
import { randomInt } from 'node:crypto';

export const Flag = {
  random: 1,
  disposable: 2,
  unreachable: 4,
  /** The page was loaded from this network before; `fast`: a moment before. */
  pageLoaded: 16,
  fast: 32,
} as const;

export const At = {
  code: 0,
  mailbox: 1,
  narrow: 2,
  wide: 3,
  hints: 4,
  stem: 5,
  flags: 6,
  ownCode: 7,
} as const;
const IS_ALIVE_AT = 8;
/** A row is one line of the processor's cache, which a walk waits for. */
const ROW = 16;

/** Hashes of 32 bits, except `flags`; 0 for what is unknown. */
export type RememberedJoin = Readonly<Record<Exclude<keyof typeof At, 'ownCode'>, number>>;

const PREVIOUS_AT = { code: 9, narrow: 10, wide: 11, mailbox: 12, ownCode: 13 } as const;
type Chained = keyof typeof PREVIOUS_AT;
const CHAINED = Object.keys(PREVIOUS_AT) as Chained[];

export const MAX_NEIGHBOURS = 160;

const MAX_JOINS = 1 << 20;
const CELLS = 1 << 16;
/** A count-min sketch: with one cell, a rare browser could share that of a common one. */
const cellsOf = (value: number) => [value & (CELLS - 1), CELLS + (value >>> 16)] as const;

export type JoinMemory = ReturnType<typeof openJoinMemory>;

export function openJoinMemory(capacity = MAX_JOINS) {
  const rows = new Int32Array(capacity * ROW);
  const heads = Object.fromEntries(
    CHAINED.map((chained) => [chained, new Int32Array(capacity >> 2)]),
  ) as Record<Chained, Int32Array>;
  const hintCounts = new Uint32Array(2 * CELLS);
  const totals = { joins: 0, hinted: 0, pageLoaded: 0 };
  let next = 0;

  const rowOf = (join: number) => (join % capacity) * ROW;
  const read = (field: keyof typeof At, join: number) => rows[rowOf(join) + At[field]] as number;
  const isKept = (join: number) =>
    join >= 0 && join < next && join >= next - capacity && rows[rowOf(join) + IS_ALIVE_AT] === 1;

  function link(chained: Chained, join: number): void {
    const value = read(chained, join);
    if (value === 0) return;
    const { [chained]: slots } = heads;
    const slot = (value >>> 0) % slots.length;
    rows[rowOf(join) + PREVIOUS_AT[chained]] = slots[slot] as number;
    slots[slot] = join + 1;
  }

  function addToTotals(join: number, added: 1 | -1): void {
    const hints = read('hints', join);
    totals.joins += added;
    if (read('flags', join) & Flag.pageLoaded) totals.pageLoaded += added;
    if (hints !== 0) totals.hinted += added;
    for (const cell of cellsOf(hints)) hintCounts[cell] = (hintCounts[cell] as number) + added;
  }

  function drop(join: number): void {
    if (!isKept(join)) return;
    addToTotals(join, -1);
    rows[rowOf(join) + IS_ALIVE_AT] = 0;
  }

  return {
    totals: totals as Readonly<typeof totals>,
    rows: rows as Readonly<Int32Array>,
    rowOf,
    read,
    add({ code, mailbox, narrow, wide, hints, stem, flags }: RememberedJoin): number {
      const join = next;
      drop(join - capacity);
      next += 1;
      rows.set([code, mailbox, narrow, wide, hints, stem, flags, 0, 1], rowOf(join));
      for (const chained of CHAINED) link(chained, join);
      addToTotals(join, 1);
      return join;
    },
    drop,
    setOwnCode(join: number, code: number): void {
      if (!isKept(join) || read('ownCode', join) !== 0) return;
      rows[rowOf(join) + At.ownCode] = code;
      link('ownCode', join);
    },
    forgetNetwork(narrow: number): void {
      this.walk('narrow', narrow, capacity, (_, row) => {
        rows[row + At.narrow] = 0;
        rows[row + At.wide] = 0;
      });
    },
    countNeighbours(wide: number): number {
      return this.walk('wide', wide, MAX_NEIGHBOURS, () => {});
    },
    countHints: (hints: number) =>
      Math.min(...cellsOf(hints).map((cell) => hintCounts[cell] as number)),
    walk(
      chained: Chained,
      value: number,
      max: number,
      visit: (join: number, row: number) => void,
    ): number {
      if (value === 0) return 0;
      let found = 0;
      const { [chained]: slots } = heads;
      const valueAt = At[chained];
      const previousAt = PREVIOUS_AT[chained];
      let join = (slots[(value >>> 0) % slots.length] as number) - 1;
      // Joins of other values share the chain: three on average when the table is full.
      for (let steps = 0; found < max && steps < max * 8; steps += 1) {
        if (join < 0 || join < next - capacity) break;
        const row = rowOf(join);
        if (rows[row + valueAt] === value && rows[row + IS_ALIVE_AT] === 1) {
          visit(join, row);
          found += 1;
        }
        join = (rows[row + previousAt] as number) - 1;
      }
      return found;
    },
    find(chained: Chained, value: number): number | null {
      let found: number | null = null;
      this.walk(chained, value, 1, (join) => {
        found = join;
      });
      return found;
    },
  };
}

/** Random at each start, so that nobody outside can find two texts with one hash. */
const SEED = randomInt(2 ** 32) | 0;

export function hash32(text: string): number {
  if (text === '') return 0;
  let hash = SEED;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return hash ^ (hash >>> 15) || 1;
}
