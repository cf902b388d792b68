import { expect, test } from 'vitest';
import { networkOf } from './join-networks.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:7:3::1', '2001:db8:7:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
])('%s is in the network %s', (ip, network) => {
  expect(networkOf(ip, false)).toBe(network);
});

test('this machine is a visitor only behind a proxy on it that the settings name', () => {
  expect(networkOf('127.0.0.1', false)).toBeNull();
  expect(networkOf('127.0.0.1', true)).not.toBeNull();
  expect(networkOf('unix:', true)).toBeNull();
});
