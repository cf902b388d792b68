/** The keys of a till, encrypted with a key that only SECRET_KEY gives. Backups leave them out. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Problem } from '../../problem.ts';

export type TillKeys = { readonly secretKey?: string; readonly webhookSecret?: string };

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `kind` is authenticated, so keys of one till never open as those of another one. */
export function sealKeys(keys: TillKeys, kind: string, secretKey: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secretKey), nonce).setAAD(Buffer.from(kind));
  const sealed = [cipher.update(JSON.stringify(keys)), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64');
}

export function openKeys(sealed: string, kind: string, secretKey: string): TillKeys {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secretKey), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(kind))
      .setAuthTag(tag);
    const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(text).toString());
  } catch (error) {
    throw new Problem('conflict', 'The keys of the till cannot be read: enter them again.', {
      cause: error,
    });
  }
}

function keyOf(secretKey: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', 'keys of the till', 32));
}
