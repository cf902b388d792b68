import { expect, test } from 'vitest';
import { keysToTry } from './shortcut-rules.ts';

const press = { key: 'm', hasModifier: false, isTyping: false };

test('a key is a shortcut, alone or after another one', () => {
  expect(keysToTry(press, null)).toEqual(['m']);
  expect(keysToTry(press, 'g')).toEqual(['g m', 'm']);
});

test.each([
  ['with a modifier', { hasModifier: true }],
  ['while typing', { isTyping: true }],
  ['of more than a letter', { key: 'Enter' }],
  ['space', { key: ' ' }],
])('a key is none %s', (_when, change) => {
  expect(keysToTry({ ...press, ...change }, 'g')).toEqual([]);
});
