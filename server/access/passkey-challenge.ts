/** Challenges are signed, not stored: random bytes, the expiry in seconds, and an HMAC. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The operator who adds a passkey; null: a passkey signs in, and says whose it is. */
type Scope = { readonly secretKey: string; readonly operatorId: string | null };

const LIFETIME_SECONDS = 900;
const EXPIRY_AT = 16;
const CLAIMS_BYTES = EXPIRY_AT + 4;
const MAC_BYTES = 20;

export function signChallenge(scope: Scope): Uint8Array<ArrayBuffer> {
  const claims = Buffer.alloc(CLAIMS_BYTES);
  randomBytes(EXPIRY_AT).copy(claims);
  claims.writeUInt32BE(nowSeconds() + LIFETIME_SECONDS, EXPIRY_AT);
  return Uint8Array.from([...claims, ...macOf(scope, claims)]);
}

/** Whether it was signed for this and has not expired. The caller checks that it is not used. */
export function isOpenChallenge(scope: Scope, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  // Comparing the text refuses other spellings of the same bytes.
  if (bytes.length !== CLAIMS_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge)
    return false;
  const claims = bytes.subarray(0, CLAIMS_BYTES);
  const isSigned = timingSafeEqual(macOf(scope, claims), bytes.subarray(CLAIMS_BYTES));
  return isSigned && claims.readUInt32BE(EXPIRY_AT) > nowSeconds();
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function macOf({ secretKey, operatorId }: Scope, claims: Buffer): Buffer {
  return createHmac('sha256', secretKey)
    .update(`passkey\0${operatorId ?? ''}\0`)
    .update(claims)
    .digest()
    .subarray(0, MAC_BYTES);
}
