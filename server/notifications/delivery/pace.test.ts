import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPace } from './mail-sender.ts';

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

test('a mail that was held up moves those behind it, which catch up little by little', () => {
  expect(departures(slots([219, 0, 0, 0, 0, 0]))).toEqual([219, 264, 309, 354, 399, 444]);
  const caughtUp = departures(slots([219, ...Array.from({ length: 60 }, () => 0)]));
  expect(caughtUp.at(-1)).toBe(60 * INTERVAL_MS);
});

test('a timer that fires late slows nothing down', () => {
  expect(departures(slots([2, 3, 1, 4]))).toEqual([2, 53, 101, 154]);
});

test('after a pause in the queue the next mail leaves at its slot', () => {
  const mails = [...slots([400, 0]), { dueAt: 2_000, heldUpMs: 0 }];
  expect(departures(mails)).toEqual([400, 445, 2_000]);
});

test('no mail leaves before its slot, or right behind the one before it', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(delays, (heldUpMs) => {
      const left = departures(slots(heldUpMs));
      left.forEach((at, index) => {
        expect(at).toBeGreaterThanOrEqual(index * INTERVAL_MS);
        const distance = at - (left[index - 1] ?? Number.NEGATIVE_INFINITY);
        expect(distance).toBeGreaterThanOrEqual(0.9 * INTERVAL_MS - TIMER_MS);
      });
    }),
  );
});
