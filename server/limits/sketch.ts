/**
 * Counts any number of keys in a fixed number of bytes: a count-min sketch that raises the smallest of a key's cells alone. It never
 * answers less than was counted; more, when all cells of a key are shared with keys that were counted often.
 */
export type Sketch = {
  /** Answers the new count. */
  add(key: string): number;
  count(key: string): number;
};

const CELLS_OF_A_KEY = 4;
/** 24 bits choose a cell. */
const BYTES_OF_A_CELL = 3;

/** `key` is a hash, each character of which is one byte: its own bytes choose the cells. `highest` is what a cell must hold. */
export function openSketch(cells: number, highest: number): Sketch {
  const counts = highest < 256 ? new Uint8Array(cells) : new Uint32Array(cells);
  const mask = cells - 1;

  function cellOf(key: string, which: number): number {
    const at = which * BYTES_OF_A_CELL;
    return (key.charCodeAt(at) | (key.charCodeAt(at + 1) << 8) | (key.charCodeAt(at + 2) << 16)) & mask;
  }

  function count(key: string): number {
    let smallest = Number.POSITIVE_INFINITY;
    for (let which = 0; which < CELLS_OF_A_KEY; which++)
      smallest = Math.min(smallest, counts[cellOf(key, which)] as number);
    return smallest;
  }

  return {
    count,
    add(key) {
      const before = count(key);
      if (before >= highest) return before;
      for (let which = 0; which < CELLS_OF_A_KEY; which++) {
        const cell = cellOf(key, which);
        if (counts[cell] === before) counts[cell] = before + 1;
      }
      return before + 1;
    },
  };
}
