import Fastify from 'fastify';
import { expect, test } from 'vitest';
import {
  addressOf,
  isLoopback,
  isLoopbackHost,
  limitKeyOf,
  openClientKeys,
  openRanges,
} from './client-address.ts';

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

test('a host is of this machine by its address or as localhost, and by no other name', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', '::1'])
    expect([host, isLoopbackHost(host)]).toEqual([host, true]);
  for (const host of ['127.evil.example', 'localhost.example.com', '192.0.2.1', '0.0.0.0', ''])
    expect([host, isLoopbackHost(host)]).toEqual([host, false]);
});

test('loopback peers have a key only if they are named, and nobody has one without limits', () => {
  const keyOf = (address: string, trustProxy: string[], isLimiting = true) =>
    openClientKeys({ trustProxy, isLimiting }).keyOf(address);
  expect(keyOf('127.0.0.1', ['10.0.0.0/8'])).toBeNull();
  expect(keyOf('127.0.0.1', ['127.0.0.1'])).not.toBeNull();
  expect(keyOf('192.0.2.1', [])).not.toBeNull();
  expect(keyOf('192.0.2.1', [], false)).toBeNull();
});

test('all addresses of an IPv6 /64 have one key, which does not contain them', () => {
  const { keyOf } = openClientKeys({ trustProxy: [], isLimiting: true });
  expect(keyOf('2001:db8:1:2::1')).toBe(keyOf('2001:db8:1:2:ffff::9'));
  expect(keyOf('2001:db8:1:2::1')).not.toBe(keyOf('2001:db8:1:3::1'));
  expect(keyOf('192.0.2.1')).not.toContain('192.0.2.1');
});

test("before Fastify, a request has the address of Fastify's request.ip", async () => {
  const isProxy = openRanges(['10.0.0.0/8', '2001:db8:9::/48']);
  const server = Fastify({ trustProxy: isProxy });
  server.get('/', async (request) => [request.ip, addressOf(request.raw, isProxy)]);
  const peers = ['192.0.2.1', '10.1.1.1', '::ffff:10.1.1.1', '2001:db8:9::1', '2001:db8:8::1'];
  const named = [
    undefined,
    '',
    ' , ,',
    '198.51.100.1',
    ' 198.51.100.1\t',
    '203.0.113.9, 198.51.100.1',
    '198.51.100.1,10.2.2.2',
    '10.3.3.3, 10.2.2.2',
    '10.3.3.3,,10.2.2.2, ',
    '198.51.100.1:4711, 10.2.2.2:80',
    'unknown, [2001:db8:9::2]:443',
    'nonsense',
  ];
  for (const remoteAddress of peers)
    for (const forwarded of named) {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const [ip, own] = (await server.inject({ url: '/', remoteAddress, headers })).json();
      expect([remoteAddress, forwarded, own]).toEqual([remoteAddress, forwarded, ip]);
    }
});
