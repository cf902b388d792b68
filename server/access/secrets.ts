/** Random secrets that others hold: links, sessions, challenges, keys. Only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in Base64url: 43 characters. */
export function drawSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in Base64url. Nothing slower is needed: the secret cannot be guessed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
