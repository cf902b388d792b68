/** The keys of a till, encrypted with a key that only SECRET_KEY gives. Backups leave them out. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { TillKind, TillSettings } from '../../../contract/operator/drop/till.ts';
import { Problem } from '../../problem.ts';

export type TillKeys = { readonly secretKey?: string; readonly webhookSecret?: string };

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The host that the keys are sent to, and who sends them: authenticated with them, so that they
 * open for no other one, whatever the row of the account says.
 */
export function placeOf(kind: TillKind, settings: TillSettings[TillKind] | null): string {
  if (kind !== 'shopify') return kind;
  const { shop, client_id } = settings as TillSettings['shopify'];
  return JSON.stringify([kind, shop, client_id]);
}

export function sealKeys(keys: TillKeys, place: string, secretKey: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secretKey), nonce).setAAD(Buffer.from(place));
  const sealed = [cipher.update(JSON.stringify(keys)), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64');
}

export function openKeys(sealed: string, place: string, secretKey: string): TillKeys {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secretKey), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(tag);
    const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(text).toString());
  } catch (error) {
    throw new Problem('conflict', 'The keys of the till cannot be read: enter them again.', {
      cause: error,
    });
  }
}

/** Signs the attempts of this line, which come back in orders. */
export function openSigner(secretKey: string, lineId: string): (text: string) => string {
  const key = keyOf(secretKey, 'attempts of the till');
  return (text) => createHmac('sha256', key).update(`${lineId}/${text}`).digest('base64url');
}

function keyOf(secretKey: string, use = 'keys of the till'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', use, 32));
}
