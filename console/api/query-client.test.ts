import { expect, test } from 'vitest';
import { delayBeforeRetry, shouldRetry } from './query-client.ts';
import { RequestError } from './request.ts';

const refused = (status: number | null, retryAfter: number | null = null) =>
  new RequestError('Refused.', { status, retryAfter });

test.each([null, 429, 500, 503])('a read that failed with %s is tried twice more', (status) => {
  expect([0, 1, 2].map((failures) => shouldRetry(failures, refused(status)))).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([400, 401, 403, 404, 409, 422])('a refusal with %i is final', (status) => {
  expect(shouldRetry(0, refused(status))).toBe(false);
});

test('a fault of the page itself is final', () => {
  expect(shouldRetry(0, new TypeError('no such property'))).toBe(false);
});

test('the next try waits longer, as long as the server asks, and never for minutes', () => {
  expect([0, 1, 9].map((failures) => delayBeforeRetry(failures, refused(500)))).toEqual([
    500, 1000, 5000,
  ]);
  expect(delayBeforeRetry(0, refused(503, 3))).toBe(3000);
  expect(delayBeforeRetry(0, refused(503, 600))).toBe(5000);
});
