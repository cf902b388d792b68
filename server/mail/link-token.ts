/**
 * The tokens in mail links, signed rather than stored (docs/decisions/0012). One byte for the
 * purpose, the member id, the expiry in seconds, the mailbox unless it is the member's first, and
 * 160 bits of HMAC-SHA256 over these.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type LinkPurpose = 'confirm' | 'preferences' | 'offer' | 'reward';

export type LinkToken = {
  readonly purpose: LinkPurpose;
  readonly memberId: string;
  readonly mailbox: string | null;
  readonly expiresAt: Date;
};

const PURPOSES: readonly LinkPurpose[] = ['confirm', 'preferences', 'offer', 'reward'];
const MAILBOX_AT = 1 + 16 + 4;
const UUID_BYTES = 16;
const MAC_BYTES = 20;

export function signLinkToken(
  secretKey: string,
  { purpose, memberId, mailbox, expiresAt }: LinkToken,
): string {
  const claims = Buffer.alloc(MAILBOX_AT + (mailbox === null ? 0 : UUID_BYTES));
  claims.writeUInt8(PURPOSES.indexOf(purpose), 0);
  claims.write(memberId.replaceAll('-', ''), 1, 'hex');
  claims.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 1 + 16);
  if (mailbox !== null) claims.write(mailbox.replaceAll('-', ''), MAILBOX_AT, 'hex');
  return Buffer.concat([claims, macOf(secretKey, claims)]).toString('base64url');
}

/** Null unless the token was signed for `purpose`. The caller checks expiry and mailbox. */
export function readLinkToken(
  secretKey: string,
  { token, purpose }: { token: string; purpose: LinkPurpose },
): Omit<LinkToken, 'purpose'> | null {
  const bytes = Buffer.from(token, 'base64url');
  // Comparing the text refuses other spellings of the same bytes.
  const mailboxBytes = bytes.length - MAILBOX_AT - MAC_BYTES;
  if (mailboxBytes !== 0 && mailboxBytes !== UUID_BYTES) return null;
  if (bytes.toString('base64url') !== token) return null;
  const claims = bytes.subarray(0, -MAC_BYTES);
  if (!timingSafeEqual(macOf(secretKey, claims), bytes.subarray(-MAC_BYTES))) return null;
  if (PURPOSES[claims.readUInt8(0)] !== purpose) return null;
  return {
    memberId: uuidAt(claims, 1),
    mailbox: mailboxBytes === 0 ? null : uuidAt(claims, MAILBOX_AT),
    expiresAt: new Date(claims.readUInt32BE(1 + 16) * 1000),
  };
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function macOf(secretKey: string, claims: Buffer): Buffer {
  return createHmac('sha256', secretKey)
    .update('link\0')
    .update(claims)
    .digest()
    .subarray(0, MAC_BYTES);
}
