import { describe, expect, test } from 'vitest';
import { Problem } from '../problem.ts';
import { type BatcherOptions, openBatcher } from './batcher.ts';

/** A batcher over a slow double-er whose batches end when the test says so. */
function openSlowBatcher(options: Partial<BatcherOptions<number, number>> = {}) {
  const batches: {
    requests: readonly number[];
    end: (answers?: (number | Error)[]) => void;
    fail: (e: Error) => void;
  }[] = [];
  const batcher = openBatcher<number, number>({
    maxBatchSize: 100,
    maxInFlight: 1,
    maxWaiting: 100,
    maxWaitMs: 60_000,
    runBatch: (requests) =>
      new Promise((resolve, fail) => {
        const double = () => requests.map((request) => 2 * request);
        batches.push({ requests, end: (answers = double()) => resolve(answers), fail });
      }),
    ...options,
  });
  return { batcher, batches };
}

/** Long enough for a batch that ended to let the next one begin. */
async function nextIteration(): Promise<void> {
  for (let immediate = 0; immediate < 2; immediate += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

describe('a batcher', () => {
  test('starts a lone request within the iteration of the event loop', async () => {
    const { batcher, batches } = openSlowBatcher();
    const answer = batcher.submit(1);
    await nextIteration();
    expect(batches.map((batch) => batch.requests)).toEqual([[1]]);
    batches[0]?.end();
    expect(await answer).toBe(2);
  });

  test('puts requests of one iteration in a batch, and later ones in the next', async () => {
    const { batcher, batches } = openSlowBatcher();
    const answers = Promise.all([1, 2].map((request) => batcher.submit(request)));
    await nextIteration();
    const later = Promise.all([3, 4, 5].map((request) => batcher.submit(request)));
    await nextIteration();
    expect(batches.map((batch) => batch.requests)).toEqual([[1, 2]]);
    batches[0]?.end();
    await nextIteration();
    expect(batches.map((batch) => batch.requests)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    batches[1]?.end();
    expect([await answers, await later]).toEqual([
      [2, 4],
      [6, 8, 10],
    ]);
  });

  test('keeps to its batch size and to the number in flight', async () => {
    const { batcher, batches } = openSlowBatcher({ maxBatchSize: 2, maxInFlight: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5, 6].map((request) => batcher.submit(request)));
    await nextIteration();
    const sizes = () => batches.map((batch) => batch.requests);
    expect(sizes()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    batches[1]?.end();
    await nextIteration();
    expect(sizes()).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    for (const batch of batches) batch.end();
    expect(await answers).toEqual([2, 4, 6, 8, 10, 12]);
  });

  test('starts a second batch once enough wait for it, or once none is under way', async () => {
    const { batcher, batches } = openSlowBatcher({ maxInFlight: 2, minBeside: 3 });
    const answers = [1, 2, 3].map((request) => batcher.submit(request));
    await nextIteration();
    answers.push(...[4, 5].map((request) => batcher.submit(request)));
    await nextIteration();
    const sizes = () => batches.map((batch) => batch.requests);
    expect(sizes()).toEqual([[1, 2, 3]]);
    answers.push(batcher.submit(6));
    await nextIteration();
    expect(sizes()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    answers.push(batcher.submit(7));
    batches[0]?.end();
    await nextIteration();
    expect(batches).toHaveLength(2);
    batches[1]?.end();
    await nextIteration();
    expect(sizes().at(-1)).toEqual([7]);
    batches[2]?.end();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12, 14]);
  });

  test('refuses at once when too many wait, and answers the others', async () => {
    const { batcher, batches } = openSlowBatcher({ maxWaiting: 2 });
    const accepted = Promise.all([1, 2].map((request) => batcher.submit(request)));
    await expect(batcher.submit(3)).rejects.toMatchObject({
      code: 'too_busy',
      retryAfterSeconds: 1,
    });
    await nextIteration();
    batches[0]?.end();
    expect(await accepted).toEqual([2, 4]);
  });

  test('refuses what has waited too long, and does not begin it later', async () => {
    const { batcher, batches } = openSlowBatcher({ maxWaitMs: 5 });
    const first = batcher.submit(1);
    await nextIteration();
    await expect(batcher.submit(2)).rejects.toMatchObject({ code: 'too_busy' });
    batches[0]?.end();
    expect(await first).toBe(2);
    await nextIteration();
    expect(batches).toHaveLength(1);
  });

  test('fails one request of a batch without the others', async () => {
    const { batcher, batches } = openSlowBatcher();
    const settled = Promise.allSettled([1, 2].map((request) => batcher.submit(request)));
    await nextIteration();
    batches[0]?.end([new Problem('conflict', 'no'), 4]);
    expect((await settled).map((each) => each.status)).toEqual(['rejected', 'fulfilled']);
  });

  test('goes on after a batch that failed as a whole', async () => {
    const { batcher, batches } = openSlowBatcher();
    const first = batcher.submit(1);
    await nextIteration();
    const second = batcher.submit(2);
    batches[0]?.fail(new Error('the database is gone'));
    await expect(first).rejects.toThrow('the database is gone');
    await nextIteration();
    batches[1]?.end();
    expect(await second).toBe(4);
  });

  test('finishes what it accepted when it closes, and takes nothing more', async () => {
    const { batcher, batches } = openSlowBatcher();
    const first = batcher.submit(1);
    await nextIteration();
    const second = batcher.submit(2);
    let isClosed = false;
    const closing = batcher.close().then(() => {
      isClosed = true;
    });
    await expect(batcher.submit(3)).rejects.toMatchObject({ code: 'unavailable' });
    batches[0]?.end();
    await nextIteration();
    expect(isClosed).toBe(false);
    batches[1]?.end();
    await closing;
    expect([await first, await second]).toEqual([2, 4]);
  });
});
