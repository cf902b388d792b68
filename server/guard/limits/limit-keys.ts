/** The keys that requests are counted by: keyed hashes, so that no count names anybody. */
import { createHmac, hash } from 'node:crypto';

export type HashKey = (rule: string, text: string) => string;

/** Keys are 32 characters of one byte each, the same on every server with the same secret key. */
export function openKeyHash(secretKey: string): HashKey {
  const prefix = createHmac('sha256', secretKey).update('limits').digest('base64url');
  // An HMAC per key takes three times as long. Length extension is no risk: keys stay secret.
  return (rule, text) => hash('sha256', `${prefix}${rule}\0${text}`, 'binary');
}
