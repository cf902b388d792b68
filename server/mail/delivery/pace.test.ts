import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPace } from './pace.ts';

const INTERVAL_MS = 50;
/** Lateness that is put down to the timer. */
const TIMER_MS = 10;

/** When mails leave that have slots at `dueAt`, each held up for so long past its plan. */
function departures(mails: readonly { dueAt: number; heldUpMs: number }[]): number[] {
  const pace = openPace(INTERVAL_MS);
  let now = 0;
  return mails.map(({ dueAt, heldUpMs }) => {
    const plannedAt = pace.next(dueAt);
    now = Math.max(now, plannedAt + heldUpMs);
    pace.left({ plannedAt, leftAt: now });
    return now;
  });
}

const slots = (heldUpMs: readonly number[]) =>
  heldUpMs.map((held, index) => ({ dueAt: index * INTERVAL_MS, heldUpMs: held }));

test('mails that are on time leave at their slots', () => {
  expect(departures(slots([0, 0, 0]))).toEqual([0, 50, 100]);
});

test('a mail that was held up moves those behind it, which do not catch up', () => {
  // As of 24 mails at 20 a second that left within 931 ms: the first was late, the last was not.
  expect(departures(slots([219, 0, 0, 0, 0, 0]))).toEqual([219, 269, 319, 369, 419, 469]);
});

test('a timer that fires late slows nothing down', () => {
  expect(departures(slots([2, 3, 1, 4]))).toEqual([2, 53, 101, 154]);
});

test('after a pause in the queue the next mail leaves at its slot', () => {
  const mails = [...slots([400, 0]), { dueAt: 2_000, heldUpMs: 0 }];
  expect(departures(mails)).toEqual([400, 450, 2_000]);
});

test('no mail leaves before its slot, or closer to the one before it than the rate', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(delays, (heldUpMs) => {
      const left = departures(slots(heldUpMs));
      left.forEach((at, index) => {
        expect(at).toBeGreaterThanOrEqual(index * INTERVAL_MS);
        const distance = at - (left[index - 1] ?? Number.NEGATIVE_INFINITY);
        expect(distance).toBeGreaterThanOrEqual(INTERVAL_MS - TIMER_MS);
      });
    }),
  );
});
