import { expect, test } from 'vitest';
import { findUnfair, isQuietAt, repeated } from './check-rules.ts';

test('what is there twice is named once', () => {
  expect(repeated(['a', 'b', 'a', 'c', 'a', 'b'])).toEqual(['a', 'b']);
  expect(repeated(['a', 'b'])).toEqual([]);
});

test('an offer out of turn is found, one past a member whose sizes are gone is not', () => {
  const entrant = (draw_order: number, takes_any: boolean) => ({
    member_id: `m${draw_order}`,
    draw_order,
    takes_any,
  });
  const entrants = [entrant(1, true), entrant(2, false), entrant(3, true), entrant(4, true)];
  expect(findUnfair(entrants, new Set(['m1', 'm3']))).toEqual([]);
  expect(findUnfair(entrants, new Set(['m1', 'm4']))).toEqual([
    'Place 4 of the draw was offered a mask, place 3 was not.',
  ]);
});

test('quiet hours go past midnight', () => {
  const night = { from: '22:00', until: '08:00' };
  const at = (time: string) => isQuietAt(new Date(`2026-11-22T${time}Z`), night);
  expect(['22:00', '23:59', '07:59'].map(at)).toEqual([true, true, true]);
  expect(['08:00', '21:59'].map(at)).toEqual([false, false]);
});
