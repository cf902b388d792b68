import { expect, test } from 'vitest';
import { captureLog } from '../../../test/support/captured-log.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { openEngine } from '../../durable-work/work.ts';
import { beginImport, discardImport, getImport, receiveChunk } from './receive-import.ts';
import { openWalks } from './walk-import.ts';

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

const FILE_BYTES = CHUNKS * CHUNK_BYTES;

/** A file that is refused at its first line would need no pause. */
const LONG_LAST_LINE =
  `${'a'.repeat(999)}\n`.repeat(FILE_BYTES / 2_000) + 'x'.repeat(FILE_BYTES / 2);

test.each([
  ['a long last line', LONG_LAST_LINE],
  ['newlines', '\n'.repeat(FILE_BYTES)],
  ['short rows', 'a\n'.repeat(FILE_BYTES / 2)],
])('requests are served while a file of %s is looked through', async (_name, rows) => {
  const { database } = place;
  const engine = await openEngine({ database, log: captureLog().logger });
  const walks = openWalks({ database, secretKey: 'secret', engine });
  const file = Buffer.from(`email\n${rows}`);
  const { id } = await beginImport(database, { file_name: 'list.csv', bytes: file.length });
  const send = (firstByte: number) =>
    receiveChunk(walks, id, {
      firstByte,
      bytes: file.subarray(firstByte, firstByte + CHUNK_BYTES),
    });
  const last = file.length - (file.length % CHUNK_BYTES);
  for (let firstByte = 0; firstByte < last; firstByte += CHUNK_BYTES) await send(firstByte);
  const loops = await countLoops(send(last));
  expect(await getImport(walks, id)).toMatchObject({ state: 'refused' });
  expect(loops).toBeGreaterThan(CHUNKS);
  await discardImport(database, id);
  await engine.close();
});
