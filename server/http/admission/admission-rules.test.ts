import { expect, test } from 'vitest';
import { isAdmitted } from './admission-rules.ts';

test('a thousand visitors at once are let in, and not many more', () => {
  expect(isAdmitted({ underWay: 1000, url: '/api/waitlist/join' })).toBe(true);
  expect(isAdmitted({ underWay: 1024, url: '/api/waitlist/join' })).toBe(false);
});

test.each(['/healthz', '/readyz', '/metrics', '/operator/api/counts'])(
  '%s is answered when nobody else is, within bounds',
  (url) => {
    expect(isAdmitted({ underWay: 1024, url })).toBe(true);
    expect(isAdmitted({ underWay: 1088, url })).toBe(false);
  },
);

test('a path that only looks like one of these is none', () => {
  expect(isAdmitted({ underWay: 1024, url: '/api/healthz' })).toBe(false);
  expect(isAdmitted({ underWay: 1024, url: '/?/healthz' })).toBe(false);
});
