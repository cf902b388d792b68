import { expect, test } from 'vitest';
import { openRequests, type Request, type RequestKind } from './requests.ts';

const sample = { ids: ['an-id'], codes: ['ACODE'], inviterCodes: ['BEST', 'OTHER'] };

function take(kind: RequestKind, count: number): Request[] {
  const next = openRequests({ kind, sample, tag: 'run' });
  return Array.from({ length: count }, next);
}

test('every other join is invited, and no two have one address or key', () => {
  const joins = take('join', 100).map(({ text }) => text);
  expect(joins.filter((text) => text.includes('"referred_by":null'))).toHaveLength(50);
  const distinct = (pattern: RegExp) => new Set(joins.map((text) => pattern.exec(text)?.[1]));
  expect(distinct(/"email":"([^"]+)"/).size).toBe(100);
  expect(distinct(/idempotency-key: (\S+)/).size).toBe(100);
});

test('all hot joins are invited by the member with most friends', () => {
  const joins = take('hot-join', 10);
  expect(joins.every(({ text }) => text.includes('"referred_by":"BEST"'))).toBe(true);
});

test('the expected part of an answer belongs to this request alone', () => {
  const [join] = take('join', 1);
  expect(join?.expected).toBe('"email":"bench1.run@mail.example"');
  expect(take('status', 1)[0]?.expected).toBe('"id":"an-id"');
});

test('the stated length of a request is the length of its body', () => {
  for (const { text } of [...take('join', 3), ...take('insert', 1)]) {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(Buffer.byteLength(body));
  }
});
