/** Under which key something is counted: a keyed hash, so that neither memory nor the database names anybody. */
import { createHmac, hash } from 'node:crypto';

export type HashKey = (rule: string, text: string) => string;

/** Keys of 32 characters, each of which is one byte: the same on every server that has the same secret key. */
export function openKeyHash(secretKey: string): HashKey {
  const prefix = createHmac('sha256', secretKey).update('limits').digest('base64url');
  // Not an HMAC of each, which takes three times as long: no part of a key is told to anybody who could lengthen it.
  return (rule, text) => hash('sha256', `${prefix}${rule}\0${text}`, 'binary');
}
