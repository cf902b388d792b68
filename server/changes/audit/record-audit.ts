import type { Transaction } from '../../db/transaction.ts';
import { assertReason } from './assert-reason.ts';
import type { AuditRecord } from './audit-record.ts';
import { appendEntry } from './audit-store.ts';

/**
 * Adds an entry to the audit log, and returns its number. The last call of the transaction that
 * locks anything: until the commit nobody else can add one. Throws Problem invalid_field for a
 * reason that cannot be kept.
 */
export async function recordAudit(transaction: Transaction, record: AuditRecord): Promise<number> {
  if (record.reason !== null) assertReason(record.reason);
  return await appendEntry(transaction, record);
}
