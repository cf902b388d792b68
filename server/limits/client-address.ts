/** What a network address counts as when requests are limited. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The key under which requests from `address` are counted: an IPv4 address itself, an IPv6 address by its /64, because one
 * household or host has all of that. What is not an address shares one key.
 */
export function limitKeyOf(address: string): string {
  const plain = withoutMapping(address);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';
  return `${expandGroups(plain).slice(0, 4).join(':')}::/64`;
}

/** Whether an address is in one of the ranges, each an address or a CIDR range. */
export function openRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    return isIPv4(plain) ? list.check(plain) : isIPv6(plain) && list.check(plain, 'ipv6');
  };
}

/** Whether a range covers this machine itself. */
export function namesLoopback(ranges: readonly string[]): boolean {
  const isNamed = openRanges(ranges);
  return isNamed('127.0.0.1') || isNamed('::1');
}

/** Whether the peer is this machine itself. */
export function isLoopback(address: string): boolean {
  const plain = withoutMapping(address);
  return (isIPv4(plain) && plain.startsWith('127.')) || plain === '::1';
}

/** IPv4 as it appears on a socket that listens for both families, in whichever spelling a proxy passes it on: some tell the port, too. */
function withoutMapping(address: string): string {
  const plain = address
    .toLowerCase()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const groups = expandGroups(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  if (!isMapped) return plain;
  const bytes = groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  return bytes.join('.');
}

/** The eight groups, without leading zeros. */
function expandGroups(address: string): string[] {
  const inHex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = inHex.split('::');
  const front = head.split(':').filter(Boolean);
  if (tail === undefined) return front.map(canonical);
  const back = tail.split(':').filter(Boolean);
  const missing = Math.max(0, 8 - front.length - back.length);
  return [...front, ...Array<string>(missing).fill('0'), ...back].map(canonical);
}

function canonical(group: string): string {
  return group.replace(/^0+(?=.)/, '');
}
