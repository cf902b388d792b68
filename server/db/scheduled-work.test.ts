import { expect, test } from 'vitest';
import { repeat } from './scheduled-work.ts';

test('work goes on after a reported failure, and stopping waits for a run under way', async () => {
  const failures: unknown[] = [];
  const ends = Promise.withResolvers<void>();
  let runs = 0;
  let isDone = false;
  const work = {
    name: 'sweep',
    everyMs: 5,
    async run() {
      runs += 1;
      if (runs === 1) throw new Error('first');
      await ends.promise;
      isDone = true;
    },
  };
  const onError = (name: string, error: unknown) => failures.push([name, error]);
  const stop = repeat([work], onError);
  await expect.poll(() => runs).toBe(2);
  const stopped = stop();
  expect(isDone).toBe(false);
  ends.resolve();
  await stopped;
  expect([runs, isDone, failures]).toEqual([2, true, [['sweep', new Error('first')]]]);
});
