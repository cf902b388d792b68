import { expect, test } from 'vitest';
import { isLoopback, limitKeyOf } from './client-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['0000:0:0::ffff:c000:0201', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['192.0.2.1:50312', '192.0.2.1'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.1]', '192.0.2.1'],
  ['::1', '0:0:0:0::/64'],
  ['', 'unknown'],
  ['192.0.2.1, 10.0.0.1', 'unknown'],
])('%s is counted as %s', (address, key) => {
  expect(limitKeyOf(address)).toBe(key);
});

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is a loopback address',
  (address) => {
    expect(isLoopback(address)).toBe(true);
  },
);

test.each(['192.0.2.127', '::2', '10.127.0.1', '127.evil.example', ''])(
  '%s is not a loopback address',
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);
