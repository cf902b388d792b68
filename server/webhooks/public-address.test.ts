import { expect, test } from 'vitest';
import { listOf } from '../http/admission/client-address.ts';
import { isInNetworks, isPublicAddress } from './public-address.ts';

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.63.255.255', '2606:4700:4700::1111'])(
  '%s is public',
  (address) => expect(isPublicAddress({ address })).toBe(true),
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
  'not an address',
])('%s is not public', (address) => expect(isPublicAddress({ address })).toBe(false));

test('a setting names networks, by address or range', () => {
  const networks = listOf(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
  const named = ['127.0.0.1', '10.200.0.1', 'fd00::1'];
  for (const address of named) expect(isInNetworks(networks, { address })).toBe(true);
  for (const address of ['127.0.0.2', '11.0.0.1', 'fc00::1', '8.8.8.8', ''])
    expect(isInNetworks(networks, { address })).toBe(false);
  expect(isInNetworks(listOf([]), { address: '127.0.0.1' })).toBe(false);
});
