import { describe, expect, test } from 'vitest';
import type { DropPlaceView } from './drop-views.ts';
import { stateOf, wordsOf } from './place-words.ts';

const place: DropPlaceView = {
  drop: 1,
  state: 'frozen',
  position: 12,
  place: null,
  size: null,
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
      expect(stateOf({ ...place, state: drop }, { state })).toBe(seen);
  });

  test('is described in whole sentences', () => {
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
