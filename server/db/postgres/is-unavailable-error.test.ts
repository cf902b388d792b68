import { expect, test } from 'vitest';
import { isUnavailableError } from './is-unavailable-error.ts';

test.each([
  '08006',
  '25006',
  '53100',
  '53300',
  '57P01',
  '57P03',
  '58030',
  'ECONNREFUSED',
  'ETIMEDOUT',
])('an error with the code %s says that the database is away', (code) => {
  expect(isUnavailableError(Object.assign(new Error('refused'), { code }))).toBe(true);
});

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
])('"%s" says that the database is away', (message) => {
  expect(isUnavailableError(new Error(message))).toBe(true);
});

test.each(['57014', '23505', '42P01', '40001', 'FST_ERR_BAD_URL'])(
  'an error with the code %s is of another kind',
  (code) => {
    expect(isUnavailableError(Object.assign(new Error('refused'), { code }))).toBe(false);
  },
);

test('a copy of an error says as much, and anything else is of another kind', () => {
  expect(isUnavailableError({ code: 'ECONNREFUSED', message: 'refused' })).toBe(true);
  for (const thrown of [null, undefined, 'ECONNREFUSED', {}])
    expect(isUnavailableError(thrown)).toBe(false);
});
