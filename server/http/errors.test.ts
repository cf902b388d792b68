import { expect, test } from 'vitest';
import { toProblem } from './errors.ts';

test.each([
  ['08006', 'This cannot be reached right now. Please try again in a few seconds.'],
  ['57014', 'This took too long and was ended. Please try again later.'],
])('the database error %s is answered with "%s"', (code, detail) => {
  const error = Object.assign(new Error('relation "member" does what it does'), { code });
  expect(toProblem(error)).toMatchObject({ code: 'unavailable', detail, cause: error });
});

test('other database errors are internal', () => {
  expect(toProblem(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBeNull();
});
