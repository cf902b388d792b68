/** The networks of a visitor: the one they share with a household or an office, and a wider one. */
import { isLoopback, limitKeyOf } from '../http/admission/client-address.ts';

export type Networks = {
  /** An IPv4 address, or a /64 of IPv6. */
  readonly narrow: string;
  /** A /24 of IPv4, or a /48 of IPv6. */
  readonly wide: string;
};

/**
 * Null when nothing is known: behind a proxy on this machine that no setting names, all visitors
 * have one address.
 */
export function networksOf(ip: string, isLoopbackProxy: boolean): Networks | null {
  if (isLoopback(ip) && !isLoopbackProxy) return null;
  const narrow = limitKeyOf(ip);
  if (narrow === 'unknown') return null;
  const wide = narrow.includes(':')
    ? `${narrow.split(':').slice(0, 3).join(':')}::/48`
    : `${narrow.slice(0, narrow.lastIndexOf('.'))}.0/24`;
  return { narrow, wide };
}
