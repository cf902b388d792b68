import { describe, expect, test } from 'vitest';
import { FROZEN_PLACE as place } from '../../test/support/frozen-place.ts';
import { shownDrop, stateOf } from './place-states.ts';

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
    ['paid', 'pass'],
    ['handed_over', 'pass'],
    ['sent', 'pass'],
    ['declined', 'declined'],
    ['expired', 'expired'],
    ['cancelled', 'cancelled'],
  ] as const)('with an offer that is %s, even once the drop is closed', (state, seen) => {
    for (const drop of ['open', 'offering', 'closed'] as const)
      expect(stateOf({ ...place, state: drop }, { state })).toBe(seen);
  });

  test('with a pass that ended unpaid, apart from one that was cancelled', () => {
    const checkout = { state: 'expired' as const, pay_by: '2031-05-05T08:00:00Z', is_own: true };
    expect(stateOf(place, { state: 'cancelled', checkout })).toBe('unpaid');
    const released = { ...checkout, state: 'released' as const };
    expect(stateOf(place, { state: 'cancelled', checkout: released })).toBe('unpaid');
    expect(stateOf(place, { state: 'cancelled', checkout: null })).toBe('cancelled');
  });

  test('an offer of an earlier drop is shown as one, and gives way once its mask is gone', () => {
    const second = { ...place, drop: 2 };
    const pass = { drop: 1, state: 'accepted' } as const;
    expect(shownDrop(second, pass).place).toMatchObject({
      drop: 1,
      state: 'closed',
      position: null,
    });
    const ended = { drop: 1, state: 'expired' } as const;
    expect(shownDrop(second, ended)).toEqual({ place: second, offer: null });
    expect(shownDrop({ ...second, state: 'open' }, ended).place.drop).toBe(1);
    expect(shownDrop(second, { ...pass, drop: 2 }).place).toBe(second);
  });
});
