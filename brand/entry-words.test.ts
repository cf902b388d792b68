import { expect, test } from 'vitest';
import type { EntryView } from '../contract/drop/drop-views.ts';
import { RELEASE_REASONS } from '../contract/drop/states.ts';
import { entryWords } from './entry-words.ts';

const entry: EntryView = {
  state: null,
  why: null,
  may_enter: true,
  until: '2031-05-05T08:00:00.000Z',
  price: '€80.00',
};
const at = { isDrawn: false, time: 'noon' };

test('before and after a member enters, the words say that the money is only reserved', () => {
  const before = entryWords(entry, at);
  expect(before.text).toContain('enter your card by noon');
  for (const state of [null, 'created', 'held'] as const) {
    const { text } = entryWords({ ...entry, state, may_enter: state === null }, at);
    expect(text).toContain('€80.00 are reserved on');
    expect(text).toContain('given back if you are not drawn');
  }
});

test.each(RELEASE_REASONS)(
  'a card that is released by "%s" is told why, and that nothing was taken',
  (why) => {
    for (const mayEnter of [true, false]) {
      const { text } = entryWords({ ...entry, state: 'released', why, may_enter: mayEnter }, at);
      expect(text).toContain('Nothing was taken from your card.');
      expect(text.includes('To be in the draw')).toBe(mayEnter);
    }
  },
);

test('once the draw is made, nobody is asked to enter any more', () => {
  const drawn = { isDrawn: true, time: 'noon' };
  const isOver = { ...entry, may_enter: false };
  expect(entryWords({ ...isOver, state: 'held' }, drawn).title).toBe('The draw is made');
  expect(entryWords(isOver, drawn).title).toBe('You did not enter');
});
