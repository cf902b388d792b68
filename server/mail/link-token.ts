/**
 * The tokens in mail links, signed rather than stored (docs/decisions/0012). One byte for the
 * purpose, the member id, the expiry in seconds, and 160 bits of HMAC-SHA256 over these.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link allows: confirming the address, or using the member's preferences page. */
export type LinkPurpose = 'confirm' | 'preferences';

export type LinkToken = {
  readonly purpose: LinkPurpose;
  readonly memberId: string;
  readonly expiresAt: Date;
};

const PURPOSES: readonly LinkPurpose[] = ['confirm', 'preferences'];
const CLAIMS_BYTES = 1 + 16 + 4;
const MAC_BYTES = 20;

/** `memberId` is a UUID. The expiry is rounded down to whole seconds. */
export function signLinkToken(
  secretKey: string,
  { purpose, memberId, expiresAt }: LinkToken,
): string {
  const claims = Buffer.alloc(CLAIMS_BYTES);
  claims.writeUInt8(PURPOSES.indexOf(purpose), 0);
  claims.write(memberId.replaceAll('-', ''), 1, 'hex');
  claims.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 1 + 16);
  return Buffer.concat([claims, macOf(secretKey, claims)]).toString('base64url');
}

/** Null unless the token was signed for `purpose`. The caller checks the expiry. */
export function readLinkToken(
  secretKey: string,
  { token, purpose }: { token: string; purpose: LinkPurpose },
): Omit<LinkToken, 'purpose'> | null {
  const bytes = Buffer.from(token, 'base64url');
  // Comparing the text refuses other spellings of the same bytes.
  if (bytes.length !== CLAIMS_BYTES + MAC_BYTES || bytes.toString('base64url') !== token)
    return null;
  const claims = bytes.subarray(0, CLAIMS_BYTES);
  if (!timingSafeEqual(macOf(secretKey, claims), bytes.subarray(CLAIMS_BYTES))) return null;
  if (PURPOSES[claims.readUInt8(0)] !== purpose) return null;
  const hex = claims.toString('hex', 1, 1 + 16);
  const memberId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { memberId, expiresAt: new Date(claims.readUInt32BE(1 + 16) * 1000) };
}

function macOf(secretKey: string, claims: Buffer): Buffer {
  return createHmac('sha256', secretKey)
    .update('link\0')
    .update(claims)
    .digest()
    .subarray(0, MAC_BYTES);
}
