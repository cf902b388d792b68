import { hash } from 'node:crypto';
import { findReferralCode } from '../../../contract/referral-code-rules.ts';
import { type EmailAddress, readAddress } from '../../mail/email-rules.ts';
import type { Source } from '../sources/source-rules.ts';

export type FraudSignals = { readonly rules: readonly string[]; readonly score: number };

/** Columns of `join_trace` after the member: key, server, narrow, wide, hints and flags. */
export type JoinTrace = readonly [number, number, number, number, number, number];

export type Assessment = {
  readonly signals: FraudSignals | null;
  /** Weight of the joining mailbox being the inviter's, which is to be looked up; null: known. */
  readonly ownMailboxWeight: number | null;
  readonly trace: JoinTrace | null;
};

export type JoinRequest = Partial<Assessment> & {
  readonly email: string;
  readonly address?: EmailAddress;
  /** The code as sent; one that matches nobody joins without credit. */
  readonly referredBy: string | null;
  /** Result of findReferralCode, as `address` is of readAddress, when the caller has it. */
  readonly code?: string | null;
  readonly idempotencyKey: string | null;
  readonly source?: Source | null;
  /** Moment at which the mail of the join is sent; absent or null: now. */
  readonly mailAt?: Date | null;
};

export function joinColumns(request: JoinRequest, holdThreshold: number) {
  const { email, address = readAddress(email), referredBy, idempotencyKey, mailAt } = request;
  const { code = referredBy === null ? null : findReferralCode(referredBy) } = request;
  const { source = null, signals = null, ownMailboxWeight = null } = request;
  return {
    email: address.email,
    email_identity: address.identity,
    referred_by: code,
    key_hash: idempotencyKey === null ? null : digest(idempotencyKey),
    request_hash: digest(JSON.stringify([email, referredBy])),
    source,
    ...(mailAt && { mail_at: mailAt }),
    ...signalColumns({ signals, ownMailboxWeight }, holdThreshold),
  };
}

export type SignalColumns = ReturnType<typeof signalColumns>;

/** A score of at least `holdThreshold` holds the credit, a smaller one is only recorded. */
export function signalColumns(
  { signals, ownMailboxWeight }: Omit<Assessment, 'trace'>,
  holdThreshold: number,
) {
  const ownScore = (signals?.score ?? 0) + (ownMailboxWeight ?? 0);
  return {
    ...(signals && { ...signals, holds: signals.score >= holdThreshold }),
    ...(ownMailboxWeight !== null && {
      own_score: ownScore,
      own_holds: ownScore >= holdThreshold,
    }),
  };
}

/** 128 bits in the form of a UUID, which PostgreSQL stores in 16 bytes. */
function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
