import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../config.ts';

export function openClientKeys({
  trustProxy,
  isLimiting,
}: Pick<Config, 'trustProxy' | 'isLimiting'>) {
  const ipKeyOf = openIpKeys(trustProxy);
  const secret = randomBytes(32).toString('base64url');
  return {
    isProxy: openRanges(trustProxy),
    /** A hash of the address's key, which names nobody; null: it has no limit of its own. */
    keyOf(address: string): string | null {
      const key = isLimiting ? ipKeyOf(address) : null;
      return key && hash('sha256', secret + key, 'binary');
    },
  };
}

/** Loopback peers have no limit unless `trustProxy` names them: a proxy is all visitors. */
export function openIpKeys(trustProxy: readonly string[]): (address: string) => string | null {
  const isLoopbackNamed = namesLoopback(trustProxy);
  return (address) => (isLoopback(address) && !isLoopbackNamed ? null : limitKeyOf(address));
}

export function addressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isProxy: (peer: string) => boolean,
): string {
  let address = socket.remoteAddress ?? '';
  if (!isProxy(address)) return address;
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // Each proxy appends its peer, so the last name is the nearest.
  while (named.length > 0 && isProxy(address)) address = named.pop() ?? '';
  return address;
}

/** IPv4 as it is, IPv6 by its /64, which one household has. Other text shares one key. */
export function limitKeyOf(address: string): string {
  const plain = normalize(address);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';
  const groups = ipaddr.parse(plain).toNormalizedString().split(':');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

export function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

export function openRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = listOf(ranges);
  return (address) => {
    const plain = normalize(address);
    return isIPv4(plain) ? list.check(plain) : isIPv6(plain) && list.check(plain, 'ipv6');
  };
}

export function isLoopback(address: string): boolean {
  const plain = normalize(address);
  return plain === '::1' || (plain.startsWith('127.') && isIPv4(plain));
}

export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopback(host);
}

export function namesLoopback(ranges: readonly string[]): boolean {
  const isNamed = openRanges(ranges);
  return isNamed('127.0.0.1') || isNamed('::1');
}

/** The canonical form: without port, zone or brackets, and IPv4 where it is mapped into IPv6. */
function normalize(address: string): string {
  if (isIPv4(address)) return address;
  const plain = address
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return isIPv6(plain) ? ipaddr.process(plain).toString() : plain;
}
