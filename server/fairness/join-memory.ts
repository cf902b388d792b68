/**
 * The joins of the last 30 days in a fixed table of numbers, chained by code, network and mailbox.
 * The newest join replaces the oldest. A million joins take 59 MB, allocated only as it fills.
 */
import { randomInt } from 'node:crypto';

export const Flag = {
  random: 1,
  disposable: 2,
  unreachable: 4,
  /** The page was loaded from this network before; `fast`: a moment before. */
  pageLoaded: 16,
  fast: 32,
} as const;

const FIELDS = ['code', 'mailbox', 'narrow', 'wide', 'hints', 'stem', 'flags'] as const;
type Field = (typeof FIELDS)[number];

/** Hashes of 32 bits, except `flags`; 0 for what is unknown. */
export type RememberedJoin = Readonly<Record<Field, number>>;

const CHAINED = ['code', 'narrow', 'wide', 'mailbox', 'ownCode'] as const;
type Chained = (typeof CHAINED)[number];

export const MAX_NEIGHBOURS = 160;

const MAX_JOINS = 1 << 20;
const CELLS = 1 << 16;
/**
 * A count-min sketch: each value is counted in two cells, by either half of its hash, and the
 * smaller count is its own. With one cell, a rare browser could share that of a common one.
 */
const cellsOf = (value: number) => [value & (CELLS - 1), CELLS + (value >>> 16)] as const;

export type JoinMemory = ReturnType<typeof openJoinMemory>;

export function openJoinMemory(capacity = MAX_JOINS) {
  const column = () => new Int32Array(capacity);
  const columns = Object.fromEntries(FIELDS.map((field) => [field, column()])) as Record<
    Field,
    Int32Array
  >;
  const ownCode = column();
  const chains = Object.fromEntries(
    CHAINED.map((field) => [
      field,
      {
        values: field === 'ownCode' ? ownCode : columns[field],
        heads: new Int32Array(capacity >> 2),
        previous: new Int32Array(capacity),
      },
    ]),
  ) as Record<Chained, { values: Int32Array; heads: Int32Array; previous: Int32Array }>;
  const isAlive = new Uint8Array(capacity);
  const hintCounts = new Uint32Array(2 * CELLS);
  const totals = { joins: 0, hinted: 0, pageLoaded: 0 };
  let next = 0;

  const indexOf = (join: number) => join % capacity;
  const isKept = (join: number) =>
    join >= 0 && join < next && join >= next - capacity && isAlive[indexOf(join)] === 1;

  function link(chained: Chained, join: number): void {
    const { values, heads, previous } = chains[chained];
    const value = values[indexOf(join)] as number;
    if (value === 0) return;
    const slot = (value >>> 0) % heads.length;
    previous[indexOf(join)] = heads[slot] as number;
    heads[slot] = join + 1;
  }

  function addToTotals(join: number, added: 1 | -1): void {
    const index = indexOf(join);
    totals.joins += added;
    const flags = columns.flags[index] as number;
    if (flags & Flag.pageLoaded) totals.pageLoaded += added;
    if (columns.hints[index] !== 0) totals.hinted += added;
    for (const cell of cellsOf(columns.hints[index] as number))
      hintCounts[cell] = (hintCounts[cell] as number) + added;
  }

  function drop(join: number): void {
    if (!isKept(join)) return;
    addToTotals(join, -1);
    isAlive[indexOf(join)] = 0;
  }

  return {
    totals: totals as Readonly<typeof totals>,
    add(joined: RememberedJoin): number {
      const join = next;
      const index = indexOf(join);
      drop(join - capacity);
      next += 1;
      for (const field of FIELDS) columns[field][index] = joined[field];
      ownCode[index] = 0;
      isAlive[index] = 1;
      for (const chained of CHAINED) link(chained, join);
      addToTotals(join, 1);
      return join;
    },
    drop,
    setOwnCode(join: number, code: number): void {
      if (!isKept(join) || ownCode[indexOf(join)] !== 0) return;
      ownCode[indexOf(join)] = code;
      link('ownCode', join);
    },
    forgetNetwork(narrow: number): void {
      this.walk('narrow', narrow, capacity, (join) => {
        columns.narrow[indexOf(join)] = 0;
        columns.wide[indexOf(join)] = 0;
      });
    },
    columns: columns as Readonly<Record<Field, Readonly<Int32Array>>>,
    read: (field: Field, join: number) => columns[field][indexOf(join)] as number,
    countNeighbours(wide: number): number {
      return this.walk('wide', wide, MAX_NEIGHBOURS, () => {});
    },
    /** Values share cells, so this is an upper bound. */
    countHints: (hints: number) =>
      Math.min(...cellsOf(hints).map((cell) => hintCounts[cell] as number)),
    /** Visits up to `max` joins with the value, the newest first, and returns their number. */
    walk(
      chained: Chained,
      value: number,
      max: number,
      visit: (join: number, index: number) => void,
    ): number {
      if (value === 0) return 0;
      let found = 0;
      const { values, heads, previous } = chains[chained];
      let join = (heads[(value >>> 0) % heads.length] as number) - 1;
      // Joins of other values share the chain: three on average when the table is full.
      for (let steps = 0; found < max && steps < max * 8; steps += 1) {
        if (join < 0 || join < next - capacity) break;
        const index = indexOf(join);
        if (values[index] === value && isAlive[index] === 1) {
          visit(join, index);
          found += 1;
        }
        join = (previous[index] as number) - 1;
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
