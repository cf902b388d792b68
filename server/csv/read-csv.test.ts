import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

const CHUNKS = 16;

test('requests are served while empty rows are parsed', async () => {
  async function* bytes() {
    for (let chunk = 0; chunk < CHUNKS; chunk += 1) yield Buffer.alloc(256 * 1024, '\n');
    yield Buffer.from('last');
  }
  let [loops, isDone] = [0, false];
  const count = () => {
    loops += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const records: unknown[] = [];
  for await (const { cells } of readCsv(bytes(), { encoding: 'utf-8', separator: ',' }))
    records.push(cells);
  isDone = true;
  expect(records).toEqual([['last']]);
  expect(loops).toBeGreaterThan(10 * CHUNKS);
});

test('no character is cut where a long text is parsed in slices', async () => {
  for (const start of ['', 'x']) {
    const cell = start + '\u{1F3AD}'.repeat(12_000);
    async function* bytes() {
      yield Buffer.from(cell);
    }
    for await (const { cells } of readCsv(bytes(), { encoding: 'utf-8', separator: ',' }))
      expect(cells).toEqual([cell]);
  }
  expect.assertions(2);
});
