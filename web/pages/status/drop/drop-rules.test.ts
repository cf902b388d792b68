import { describe, expect, test } from 'vitest';
import type { DropPlaceView } from '../../../../contract/drop/drop-views.ts';
import { describeLeft, stateOf, wordsOf, writeClock } from './drop-rules.ts';
import type { ShownOffer } from './member-drop.ts';

const place: DropPlaceView = {
  drop: 1,
  state: 'frozen',
  position: 12,
  place: null,
  size: null,
};
const offer: ShownOffer = {
  drop: 1,
  state: 'open',
  size: 'Medium',
  offered_at: '2030-01-01T00:00:00.000Z',
  expires_at: '2030-01-01T12:00:00.000Z',
  free_sizes: [],
};

describe('the state that a member sees', () => {
  test.each([
    [{ state: 'open' }, null],
    [{}, 'frozen'],
    [{ position: null }, 'not-listed'],
    [{ state: 'selected', place: 3, size: 'Medium' }, 'chosen'],
    [{ state: 'offering', place: 3, size: 'Medium' }, 'chosen'],
    [{ state: 'offering', place: 104 }, 'waiting'],
    [{ state: 'closed', place: 104 }, 'over'],
    [{ state: 'closed', position: null }, 'over'],
  ] as const)('at %j without an offer', (more, state) => {
    expect(stateOf({ ...place, ...more }, null)).toBe(state);
  });

  test.each([
    ['open', 'offered'],
    ['accepted', 'pass'],
    ['redeemed', 'pass'],
    ['declined', 'declined'],
    ['expired', 'expired'],
    ['cancelled', 'cancelled'],
  ] as const)('with an offer that is %s, even once the drop is closed', (state, seen) => {
    for (const drop of ['open', 'offering', 'closed'] as const)
      expect(stateOf({ ...place, state: drop }, { ...offer, state })).toBe(seen);
  });

  test('is told in whole sentences', () => {
    const words = (state: Parameters<typeof wordsOf>[0]) =>
      wordsOf(state, { place: { ...place, place: 104, size: 'Medium' }, time: '14:00' });
    expect(words('waiting').text).toContain('number 104 in the draw order');
    expect(words('chosen').text).toContain('a mask in size Medium');
    expect(words('expired').text).toContain('ended at 14:00');
    const closed = { place: { ...place, state: 'closed' as const }, time: '14:00' };
    for (const state of ['expired', 'declined'] as const)
      expect(wordsOf(state, closed).text).toContain('this drop is over');
    expect(wordsOf('over', closed).text).toContain('No mask came to you');
    const unlisted = { ...closed, place: { ...closed.place, position: null } };
    expect(wordsOf('over', unlisted).text).toContain('ended before your place');
  });
});

describe('the clock of an offer', () => {
  test.each([
    [12 * 3_600_000, '12:00:00'],
    [12 * 3_600_000 - 1, '12:00:00'],
    [42_127_000, '11:42:07'],
    [1, '00:00:01'],
    [0, '00:00:00'],
    [-5000, '00:00:00'],
    [100 * 3_600_000, '100:00:00'],
  ])('shows %i ms as %s', (left, text) => {
    expect(writeClock(left)).toBe(text);
  });

  test('speaks twenty times in an offer of twelve hours at most, and at the end', () => {
    const said = new Set<string>();
    for (let left = 12 * 3_600_000; left >= 0; left -= 1000) said.add(describeLeft(left));
    expect(said.size).toBeLessThanOrEqual(20);
    expect([...said].slice(-6)).toEqual([
      'Less than 60 minutes left.',
      'Less than 30 minutes left.',
      'Less than 10 minutes left.',
      'Less than 5 minutes left.',
      'Less than a minute left.',
      'This offer has ended.',
    ]);
  });
});
