import { expect, test } from 'vitest';
import { provideLine } from '../../../test/support/provide-line.ts';
import { beginImport, discardImport, getImport, receiveChunk } from './receive-import.ts';

const CHUNK_BYTES = 192 * 1024;
const CHUNKS = 20;

const place = provideLine('embedded', {}, 'all');

/** How often the event loop could take requests while `work` went on. */
async function countLoops(work: Promise<unknown>): Promise<number> {
  let [loops, isDone] = [0, false];
  const count = () => {
    loops += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return loops;
}

test.each([
  ['one line', 'x'],
  ['newlines', '\n'],
  ['short rows', 'a\n'],
])('requests are served while a file of %s is looked through', async (_name, filler) => {
  const { database } = place;
  const file = Buffer.from(`email\n${filler.repeat((CHUNKS * CHUNK_BYTES) / filler.length)}`);
  const { id } = await beginImport(database, { file_name: 'list.csv', bytes: file.length });
  const send = (firstByte: number) =>
    receiveChunk(database, id, {
      firstByte,
      bytes: file.subarray(firstByte, firstByte + CHUNK_BYTES),
    });
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) await send(chunk * CHUNK_BYTES);
  const loops = await countLoops(send(CHUNKS * CHUNK_BYTES));
  expect(await getImport(database, id)).toMatchObject({ state: 'refused' });
  expect(loops).toBeGreaterThan(CHUNKS);
  await discardImport(database, id);
});
