import { expect, test } from 'vitest';
import { networksOf } from './fairness.ts';

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:7:3::1', '2001:db8:7:3::/64', '2001:db8:7::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
])('%s is in %s and %s', (ip, narrow, wide) => {
  expect(networksOf(ip, false)).toEqual({ narrow, wide });
});

test('this machine is a visitor only behind a proxy on it that the settings name', () => {
  expect(networksOf('127.0.0.1', false)).toBeNull();
  expect(networksOf('127.0.0.1', true)).not.toBeNull();
  expect(networksOf('unix:', true)).toBeNull();
});
