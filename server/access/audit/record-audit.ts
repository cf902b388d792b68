/** Adds entries to the audit log, which is kept for good, even when a member is erased. */

import type { Transaction } from '../../db/transaction.ts';
import { invalidField } from '../../problem.ts';
import type { Actor } from '../actor.ts';
import { type AuditRecord, appendEntry, type Subject } from './audit-store.ts';

const ADDRESS = /[^\s@]@[^\s@]/;

/** Call it last in a transaction: no other one can add an entry until the commit. */
export async function recordAudit(transaction: Transaction, record: AuditRecord): Promise<number> {
  if (record.reason !== null) assertReason(record.reason);
  return await appendEntry(transaction, record);
}

export async function recordAccess(
  transaction: Transaction,
  actor: Actor,
  action: string,
  subject: Subject | null,
  summary: string,
): Promise<void> {
  await recordAudit(transaction, { actor, action, subject, reason: null, details: { summary } });
}

export function assertReason(reason: string): void {
  if (reason.trim() === '') throw invalidField('Please give a reason.');
  if (/\0|\p{Cs}/u.test(reason))
    throw invalidField('The reason has characters that cannot be kept.');
  if (hasAddress(reason))
    throw invalidField(
      'Please give a reason without an e-mail address: the audit log is kept for good.',
    );
}

export function hasAddress(text: string): boolean {
  return ADDRESS.test(text);
}
