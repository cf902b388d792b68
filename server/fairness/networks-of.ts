import { isLoopback, limitKeyOf } from '../http/admission/client-address.ts';

/** Null behind a local proxy that no setting names: all visitors would have one address. */
export function networksOf(ip: string, isLoopbackProxy: boolean) {
  if (isLoopback(ip) && !isLoopbackProxy) return null;
  const narrow = limitKeyOf(ip);
  if (narrow === 'unknown') return null;
  const wide = narrow.includes(':')
    ? `${narrow.split(':').slice(0, 3).join(':')}::/48`
    : `${narrow.slice(0, narrow.lastIndexOf('.'))}.0/24`;
  return { narrow, wide };
}
