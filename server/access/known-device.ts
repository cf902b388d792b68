/** A random id with an HMAC over it and the address: it opens nothing, but has its own limits. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

type Known = { readonly secretKey: string; readonly identity: string };

export function signDevice(by: Known, id: string = randomBytes(16).toString('base64url')): string {
  return `${id}.${macOf(by, id)}`;
}

export function readDevice(by: Known, token: string | null): string | null {
  const [id = '', mac = ''] = token?.split('.') ?? [];
  const [expected, given] = [Buffer.from(macOf(by, id)), Buffer.from(mac)];
  return given.length === expected.length && timingSafeEqual(expected, given) ? id : null;
}

function macOf({ secretKey, identity }: Known, id: string): string {
  return createHmac('sha256', secretKey).update(`device\0${id}\0${identity}`).digest('base64url');
}
