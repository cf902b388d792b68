import { expect, test } from 'vitest';
import { openRequests, type RequestKind } from './request-bytes.ts';

const sample = { ids: ['an-id'], codes: ['ACODE'], inviterCodes: ['BEST', 'OTHER'] };

function take(kind: RequestKind, count: number): string[] {
  const next = openRequests({ kind, sample, tag: 'run' });
  return Array.from({ length: count }, next);
}

test('every other join is invited, and no two have one address or key', () => {
  const joins = take('join', 100);
  expect(joins.filter((bytes) => bytes.includes('"referred_by":null'))).toHaveLength(50);
  const of = (pattern: RegExp) => new Set(joins.map((bytes) => pattern.exec(bytes)?.[1]));
  expect(of(/"email":"([^"]+)"/).size).toBe(100);
  expect(of(/idempotency-key: (\S+)/).size).toBe(100);
});

test('all hot joins are invited by the member with most friends', () => {
  expect(take('hot-join', 10).every((bytes) => bytes.includes('"referred_by":"BEST"'))).toBe(true);
});

test('the length that a request states is that of its body', () => {
  for (const bytes of [...take('join', 3), ...take('insert', 1)]) {
    const [head = '', body = ''] = bytes.split('\r\n\r\n');
    expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(Buffer.byteLength(body));
  }
});
