import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = { readonly address: string };

/** What IANA has given out. The rest of IPv6 is reserved, private, or IPv4 in disguise. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** False for the ranges of IANA's special-purpose registries, too. */
export function isPublicAddress({ address }: Address): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

export function isInNetworks(networks: BlockList, { address }: Address): boolean {
  const family = isIP(address);
  return family > 0 && networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
