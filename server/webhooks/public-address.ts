import { type BlockList, isIP, isIPv4 } from 'node:net';
import { listOf } from '../http/admission/client-address.ts';

type Address = { readonly address: string };

/** Ranges of IANA's special-purpose registries: not reachable, or a way around these rules. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];
/** Everything else is loopback, IPv4-mapped, NAT64, private, link-local or multicast. */
const GLOBAL_UNICAST_IPV6 = '2000::/3';
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds IPv4 addresses
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

const special = listOf([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const globalUnicast = listOf([GLOBAL_UNICAST_IPV6]);

export function isPublicAddress(resolved: Address): boolean {
  if (isInNetworks(special, resolved)) return false;
  return isIPv4(resolved.address) || isInNetworks(globalUnicast, resolved);
}

export function isInNetworks(networks: BlockList, { address }: Address): boolean {
  const family = isIP(address);
  return family > 0 && networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
