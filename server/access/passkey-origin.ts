import { isIP } from 'node:net';
import { isLoopback } from '../http/admission/client-address.ts';

export type PasskeyOrigin = { readonly origin: string; readonly domain: string };

/** Null where there can be none. A loopback address is no domain: there it is localhost. */
export function passkeyOriginOf(publicUrl: string): PasskeyOrigin | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  const plain = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) !== 0) {
    if (protocol !== 'http:' || !isLoopback(plain)) return null;
    return { origin: `http://localhost${port && `:${port}`}`, domain: 'localhost' };
  }
  const isAllowed = protocol === 'https:' || /(^|\.)localhost$/.test(hostname);
  return isAllowed ? { origin: publicUrl, domain: hostname } : null;
}
