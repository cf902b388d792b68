import { expect, test } from 'vitest';
import { openLineNote } from './plain-status.ts';

const GETS = 'early shop access and a chance at limited masks';

test.each([
  [1, `Nobody is ahead of you: ${GETS}, if you stay ahead.`],
  [2, `One of the first 10: ${GETS}, if you stay ahead.`],
  [10, `One of the first 10: ${GETS}, if you stay ahead.`],
  [100, `In the top 100: ${GETS}, if you stay ahead.`],
  [101, `1 place to the top 100, who get ${GETS}.`],
  [150, `50 places to the top 100, who get ${GETS}.`],
  [151, `The top 100 get ${GETS}.`],
])('the words below position %i follow how far the top is', (position, words) => {
  expect(openLineNote({ maskCount: 100 }, position)).toBe(words);
});

test('without a position the words promise nothing to anybody', () => {
  expect(openLineNote({ maskCount: 100 })).toBe(`The top 100 get ${GETS}.`);
});
