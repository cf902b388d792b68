/** Some 30 bytes a member in memory: an index would slow every join (decision 0064). */

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { MINUTE_MS } from '../../durations.ts';
import { type AddressRow, readAddresses, readCorrectedSince, readLastEntry } from './list-store.ts';

const BLOCK_MEMBERS = 2_000;
/** A pause between two pages, in which the embedded engine serves visitors. */
const PAUSE_MS = 4;
/** Then all addresses are read anew, without members who have left. */
const MAX_AGE_MS = 10 * MINUTE_MS;
const KEPT_MS = 15 * MINUTE_MS;
const BLOCKS_AT_ONCE = 50;

export type AddressSearch = ReturnType<typeof openAddressSearch>;

/** Blocks, and the last entry of the audit log before they were read. */
type Known = { readonly blocks: Block[]; readonly entry: number };

/** Identities between line feeds, where each begins, and the sequence of its member. */
type Block = {
  readonly text: Buffer;
  readonly starts: Uint32Array;
  readonly sequences: Uint32Array;
};

export function openAddressSearch(database: Database) {
  let known: Known | null = null;
  let readAt = 0;
  let reading: Promise<void> | null = null;
  let generation = 0;
  let lastRefresh: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function readAll(): Promise<void> {
    const own = generation;
    const entry = await readLastEntry(database);
    const blocks: Block[] = [];
    await readNew(blocks);
    if (own !== generation) return;
    known = { blocks, entry };
    readAt = performance.now();
  }

  function prepare(): void {
    clearTimeout(timer);
    timer = setTimeout(forget, KEPT_MS).unref();
    if (reading !== null || (known !== null && performance.now() - readAt < MAX_AGE_MS)) return;
    reading = readAll()
      .catch(() => {}) // The next search tries again.
      .finally(() => {
        reading = null;
      });
  }

  async function readNew(blocks: Block[]): Promise<void> {
    const own = generation;
    for (;;) {
      const isFull = blocks.at(-1)?.sequences.length === BLOCK_MEMBERS;
      const kept = isFull ? blocks.length : Math.max(0, blocks.length - 1);
      const after = blocks[kept - 1]?.sequences.at(-1) ?? 0;
      const rows = await readAddresses(database, after, BLOCK_MEMBERS);
      blocks.splice(kept, Number.POSITIVE_INFINITY, ...(rows.length === 0 ? [] : [blockOf(rows)]));
      if (rows.length < BLOCK_MEMBERS || own !== generation) return;
      await pause(PAUSE_MS);
    }
  }

  function forget(): void {
    generation += 1;
    known = null;
  }

  return {
    prepare,
    /** Sequences of members with one of the parts. `not_ready`: addresses are still being read. */
    async find(
      parts: readonly string[],
      limit: number,
    ): Promise<number[] | 'too_many' | 'not_ready'> {
      prepare();
      const own = known;
      if (own === null) return 'not_ready';
      // Each refresh changes the last blocks, so they are serial.
      const refreshed = lastRefresh.then(() => readNew(own.blocks));
      lastRefresh = refreshed.catch(() => {});
      await refreshed;
      const corrected = await readCorrectedSince(database, own.entry);
      if (corrected !== null) return await search({ blocks: own.blocks, corrected }, parts, limit);
      // Members who came back belong into the middle, where nothing is added.
      if (known === own) known = null;
      prepare();
      return 'not_ready';
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      forget();
      await reading;
    },
  };
}

function blockOf(rows: readonly AddressRow[]): Block {
  const starts = new Uint32Array(rows.length);
  let end = 0;
  for (const [index, { identity }] of rows.entries()) {
    starts[index] = end;
    end += Buffer.byteLength(identity) + 1;
  }
  const text = Buffer.from(rows.map(({ identity }) => `${identity}\n`).join(''));
  return { text, starts, sequences: Uint32Array.from(rows, ({ sequence }) => sequence) };
}

async function search(
  { blocks, corrected }: { blocks: readonly Block[]; corrected: readonly AddressRow[] },
  parts: readonly string[],
  limit: number,
): Promise<number[] | 'too_many'> {
  const found = new Set<number>();
  const needles = parts.filter((part) => !part.includes('\n')).map((part) => Buffer.from(part));
  for (const [index, block] of blocks.entries()) {
    for (const needle of needles) searchBlock(block, needle, found);
    if (found.size > limit) return 'too_many';
    if (index % BLOCKS_AT_ONCE === 0) await nextTurn();
  }
  for (const { sequence } of corrected) found.delete(sequence);
  for (const needle of needles) searchBlock(blockOf(corrected), needle, found);
  return [...found];
}

function searchBlock({ text, starts, sequences }: Block, needle: Buffer, found: Set<number>): void {
  let at = text.indexOf(needle);
  while (at !== -1) {
    const index = indexAt(starts, at);
    found.add(sequences[index] ?? 0);
    const next = starts[index + 1];
    at = next === undefined ? -1 : text.indexOf(needle, next);
  }
}

function indexAt(starts: Uint32Array, offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
