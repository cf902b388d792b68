import { expect, test } from 'vitest';
import { nameAsTyped } from './values.ts';

test.each([
  ['The field "joined_from" must be a day.', '--joined-from must be a day.'],
  ['The field "input.email" is too long.', '<email> is too long.'],
  ['The field "ends_at" must be a day.', '<ends at> must be a day.'],
  ['No member matches The field "email".', 'No member matches The field "email".'],
])('%s is said as %s', (sentence, typed) => {
  expect(nameAsTyped(sentence, { 'joined-from': 'yesterday' })).toBe(typed);
});
