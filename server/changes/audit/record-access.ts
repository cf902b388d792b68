import type { Actor } from '../../access/actor.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { AuditRecord, Subject } from './audit-record.ts';
import { recordAudit } from './record-audit.ts';

/** What changes who may come in, or lets somebody in. */
type AccessAction =
  | 'sign-in'
  | 'make-sign-in-link'
  | 'end-session'
  | 'end-sessions'
  | 'invite-operator'
  | 'change-role'
  | 'remove-operator'
  | 'add-passkey'
  | 'rename-passkey'
  | 'remove-passkey'
  | 'make-key'
  | 'revoke-key';

type AccessRecord = {
  readonly actor: Actor;
  readonly action: AccessAction;
  readonly subject: Subject | null;
  readonly summary: AuditRecord['details']['summary'];
};

/** The audit entry of such an action, which needs no reason. Like `recordAudit`, the last call. */
export async function recordAccess(
  transaction: Transaction,
  { summary, ...record }: AccessRecord,
): Promise<void> {
  await recordAudit(transaction, { ...record, reason: null, details: { summary } });
}
