import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { Problem } from '../problem.ts';
import type { Actor } from './actor.ts';
import { recordAccess } from './audit/record-audit.ts';

/** Runs a change in one transaction with its audit entry; a null summary adds none. */
export function openAccessChanges(database: Database, kind: 'key' | 'operator' | 'passkey') {
  return async <Subject extends { readonly id: string }>(
    actor: Actor,
    action: string,
    work: (transaction: Transaction) => Promise<{ subject: Subject; summary: string | null }>,
  ): Promise<Subject> =>
    await inTransaction(database, async (transaction) => {
      const { subject, summary } = await work(transaction);
      if (summary !== null)
        await recordAccess(transaction, actor, action, { kind, id: subject.id }, summary);
      return subject;
    });
}

export function orNotFound<T>(found: T | null, noun: string): T {
  if (found === null) throw new Problem('not_found', `There is no such ${noun}.`);
  return found;
}
