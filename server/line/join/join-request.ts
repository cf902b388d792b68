import { hash } from 'node:crypto';
import { findReferralCode } from '../../../contract/referral-code-rules.ts';
import type { JoinRequest as JoinBody, JoinEntry } from '../../../contract/schemas.ts';
import { type EmailAddress, readAddress } from '../../mail/email-rules.ts';
import type { Source } from '../sources/source-rules.ts';

/** A code that matches nobody joins without credit. */
export type JoinRequest = JoinEntry & {
  readonly address?: EmailAddress;
  /** Result of findReferralCode, as `address` is of readAddress, when the caller has it. */
  readonly code?: string | null;
  readonly idempotencyKey: string | null;
  readonly source?: Source | null;
  /** Hash of the network that it comes from; absent or null: not known. */
  readonly network?: number | null;
};

/** Leaves out whatever else a body or a form has. */
export function readEntry({ email, referred_by: referredBy = null }: JoinBody): JoinEntry {
  return { email, referredBy };
}

export type JoinRow = ReturnType<typeof joinRow>;

/** `member`: the columns of the member that the request gives. */
export function joinRow(request: JoinRequest) {
  const { email, address = readAddress(email), referredBy, source = null } = request;
  const { code = referredBy === null ? null : findReferralCode(referredBy) } = request;
  return {
    source,
    referred_by: code,
    member: {
      email: address.email,
      email_identity: address.identity,
      ...hashesOf(request),
    },
  };
}

export function hashesOf({ email, referredBy, idempotencyKey }: JoinRequest) {
  return {
    key_hash: idempotencyKey === null ? null : digest(idempotencyKey),
    request_hash: digest(JSON.stringify([email, referredBy])),
  };
}

/** 128 bits in the form of a UUID, which PostgreSQL stores in 16 bytes. */
function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
