import { expect, test } from 'vitest';
import { toProblem } from './errors.ts';

test.each([
  ['08006', 'This cannot be reached right now. Please try again in a few seconds.'],
  ['57014', 'This took too long and was ended. Please try again later.'],
])('of the database error %s a client is told "%s"', (code, detail) => {
  const error = Object.assign(new Error('relation "member" does what it does'), { code });
  expect(toProblem(error)).toMatchObject({ code: 'unavailable', detail, cause: error });
});

test('of any other database error a client is told nothing', () => {
  expect(toProblem(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBeNull();
});
