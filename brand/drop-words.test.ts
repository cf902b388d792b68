import { describe, expect, test } from 'vitest';
import type { DropPlaceView } from '../contract/drop/drop-views.ts';
import { stateOf } from '../contract/drop/place-states.ts';
import { weightWords } from '../contract/drop/weight-rules.ts';
import { FROZEN_PLACE } from '../test/support/frozen-place.ts';
import { endedWords, lineWordsOf, standingWords } from './drop-words.ts';

const WAITING: DropPlaceView = { ...FROZEN_PLACE, state: 'selected', place: 104 };
const CHOSEN: DropPlaceView = { ...WAITING, size: 'Medium' };

const wordsOf = (place: DropPlaceView) => standingWords(stateOf(place, null), place, weightWords);
const say = (place: DropPlaceView) => wordsOf(place)?.text;

test.each<[DropPlaceView, string]>([
  [FROZEN_PLACE, 'no longer change it for drop 1'],
  [{ ...FROZEN_PLACE, position: null }, 'count for drop 2.'],
  [CHOSEN, 'a mask in size Medium'],
  [WAITING, 'The draw put you at number 104.'],
  [{ ...WAITING, state: 'closed' }, 'No mask came to you'],
  [{ ...FROZEN_PLACE, state: 'closed', position: null }, 'You were not on its list.'],
])('%j is described in whole sentences', (place, words) => {
  expect(say(place)).toContain(words);
});

test('an open line has no words about its drop', () => {
  expect(wordsOf({ ...FROZEN_PLACE, state: 'open' })).toBeNull();
});

test('no mail is promised to whom it does not reach, and no mask to whom none can come', () => {
  expect(say(WAITING)).toContain('we mail you at once');
  for (const one of [
    { ...WAITING, is_mailed: false },
    { ...WAITING, can_return: false },
    { ...CHOSEN, is_mailed: false },
  ])
    expect(say(one)).not.toMatch(/we mail you|by mail and/);
  expect(say({ ...WAITING, can_return: false })).toContain('No mask that you take is left.');
});

test.each([
  ['draw', 31, 'odds of about 31 %: by the announced rule, with 90 masks among 290 entrants'],
  ['draw', 0, 'odds of less than 1 %'],
  ['draw', 100, 'odds of more than 99 %'],
  ['return', null, 'one that nobody takes goes to the next. So far 90 of 290 offers'],
  ['by-rank', 100, 'a mask by rank'],
  ['behind', 0, 'The draw ends before your place'],
] as const)('odds of the kind "%s" at %s %% say how they are reckoned', (kind, percent, says) => {
  const odds = { kind, percent, masks: 90, among: 290, weight: null };
  const waits = kind === 'return' ? WAITING : FROZEN_PLACE;
  expect(say({ ...waits, odds })).toContain(says);
});

test.each([
  [2, 'You have 1 ticket: one, and more for friends who confirmed'],
  [3, 'You have 1.5 tickets: one, and more'],
  [5, 'You have 2.5 tickets: one, and more'],
])('odds by %i half tickets say what friends give', (weight, says) => {
  const odds = { kind: 'draw', percent: 31, masks: 90, among: 290, weight } as const;
  expect(say({ ...FROZEN_PLACE, odds })).toContain(says);
});

test('an offer that has ended is described in whole sentences', () => {
  const words = (state: Parameters<typeof endedWords>[0], isDropOver: boolean) =>
    endedWords(state, { isDropOver, time: '14:00' })?.text;
  expect(words('expired', false)).toContain('ended at 14:00');
  for (const state of ['expired', 'declined'] as const)
    expect(words(state, true)).toContain('this drop is over');
});

describe('from the freeze to the next drop', () => {
  const fixed = 'The order of drop 1 is fixed.';
  const own = 'Your mask does not depend on your place in the line.';

  test.each([
    ['frozen', false, fixed, 'Friends no longer', 'Frozen at #12'],
    ['selected', false, fixed, 'Friends no longer', 'Frozen at #12'],
    ['offering', true, own, 'Friends no longer', 'One is yours'],
    ['closed', false, 'Drop 1 is over.', undefined, undefined],
    ['closed', true, own, undefined, 'One is yours'],
    ['open', true, own, undefined, 'One is yours'],
  ] as const)('beside a drop that is %s, with a pass: %j', (state, isPass, note, invite, meter) => {
    const words = lineWordsOf({ ...FROZEN_PLACE, state }, isPass);
    expect([words?.note, words?.invite?.slice(0, 17), words?.meter?.text]).toEqual([
      note,
      invite,
      meter,
    ]);
    const paused = lineWordsOf({ ...FROZEN_PLACE, state, is_paused: true }, isPass);
    expect(paused?.invite).toContain('Nobody can join now');
  });

  test('the words of an open line hold while it is open, and behind the frozen list', () => {
    expect(lineWordsOf({ ...FROZEN_PLACE, state: 'open' }, false)).toBeNull();
    expect(lineWordsOf({ ...FROZEN_PLACE, position: null }, false)).toEqual({
      isFixed: true,
      nextDrop: 'drop 2',
      note: null,
      invite: null,
      meter: { text: 'Counts for drop 2', position: null },
    });
  });
});
