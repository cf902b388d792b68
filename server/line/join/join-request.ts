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

export function joinColumns(request: JoinRequest) {
  const { address = readAddress(request.email), referredBy, idempotencyKey } = request;
  const { code = referredBy === null ? null : findReferralCode(referredBy) } = request;
  const { source = null } = request;
  return {
    /** Columns of the member that no other part of a join looks at. */
    entered: { email: address.email },
    email_identity: address.identity,
    referred_by: code,
    key_hash: idempotencyKey === null ? null : digest(idempotencyKey),
    request_hash: requestHash(request),
    source,
  };
}

/** Equal for requests that the same Idempotency-Key may stand for. */
export function requestHash({ email, referredBy }: JoinEntry): string {
  return digest(JSON.stringify([email, referredBy]));
}

/** 128 bits in the form of a UUID, which PostgreSQL stores in 16 bytes. */
function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
