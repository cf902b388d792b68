import { BlockList, isIP } from 'node:net';

/** Splits a comma-separated list of IP addresses or CIDR ranges; null when one is invalid. */
export function parseRanges(value: string): string[] | null {
  const ranges = value.split(',').map((range) => range.trim());
  return ranges.every(isRange) ? ranges : null;
}

function isRange(range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d+$/.test(prefix) ? Number(prefix) : -1,
      family === 6 ? 'ipv6' : 'ipv4',
    );
    return true;
  } catch {
    return false;
  }
}
