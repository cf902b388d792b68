import { expect, test } from 'vitest';
import { openRequests, type RequestKind } from './requests.ts';

const sample = { ids: ['an-id'], codes: ['ACODE'], inviterCodes: ['BEST', 'OTHER'] };

function take(kind: RequestKind, count: number) {
  const next = openRequests(kind, sample, 'run');
  return Array.from({ length: count }, next);
}

test('every other join is invited, and no two have one address or key', () => {
  const joins = take('join', 100);
  const bodies = joins.map(({ body = '' }) => JSON.parse(body));
  expect(bodies.filter((body) => body.referred_by === null)).toHaveLength(50);
  expect(new Set(bodies.map(({ email }) => email)).size).toBe(100);
  expect(new Set(joins.map(({ headers }) => headers?.['idempotency-key'])).size).toBe(100);
});

test('all hot joins are invited by the member with most friends', () => {
  const joins = take('hot-join', 10);
  expect(joins.every(({ body }) => body?.includes('"referred_by":"BEST"'))).toBe(true);
});

test('the expected part of an answer belongs to this request alone', () => {
  const [join] = take('join', 1);
  expect(join?.expected).toBe('"email":"bench1.run@mail.example"');
  expect(take('status', 1)[0]?.expected).toBe('"id":"an-id"');
});
