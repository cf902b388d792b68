/** Inviting and removing operators, and what they may do. */
import type { OperatorRole } from '../../../contract/operator/access.ts';
import type { Subject } from '../../changes/audit/audit-record.ts';
import { recordAccess } from '../../changes/audit/record-access.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import type { Actor } from '../actor.ts';
import { deleteSession, deleteSessionsOf, type Session } from '../sign-in/session-store.ts';
import { readAddress, readName } from '../sign-in/sign-in.ts';
import {
  deleteOperator,
  findOperator,
  insertOperator,
  isLastOwner,
  type OperatorRecord,
  updateRole,
} from './operator-store.ts';

/** Throws Problem invalid_field; conflict when the address is an operator's, or for no owner. */
export async function inviteOperator(
  database: Database,
  { name, email, role }: { name: string; email: string; role: OperatorRole },
  actor: Actor,
): Promise<OperatorRecord> {
  const operator = { address: readAddress(email), name: readName(name), role };
  return await inTransaction(database, async (transaction) => {
    const added = await insertOperator(transaction, operator).catch((error: unknown) => {
      throw isLastOwner(error)
        ? new Problem('conflict', 'The first operator must be an owner.')
        : error;
    });
    if (added === null) throw new Problem('conflict', 'An operator has this address already.');
    const summary = `Invited ${added.name} as ${nounOf(role)}.`;
    const subject = subjectOf(added);
    await recordAccess(transaction, { actor, action: 'invite-operator', subject, summary });
    return added;
  });
}

/** Throws Problem not_found; conflict for the last owner. */
export async function changeRole(
  database: Database,
  change: { readonly id: string; readonly role: OperatorRole },
  actor: Actor,
): Promise<OperatorRecord> {
  return await inTransaction(database, async (transaction) => {
    const operator = await keepingAnOwner(updateRole(transaction, change));
    const summary = `Made ${operator.name} ${nounOf(change.role)}.`;
    const subject = subjectOf(operator);
    await recordAccess(transaction, { actor, action: 'change-role', subject, summary });
    return operator;
  });
}

/** Ends their sessions with them. Throws Problem not_found; conflict for the last owner. */
export async function removeOperator(database: Database, id: string, actor: Actor): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const operator = await keepingAnOwner(deleteOperator(transaction, id));
    const summary = `Removed the operator ${operator.name}.`;
    const subject = subjectOf(operator);
    await recordAccess(transaction, { actor, action: 'remove-operator', subject, summary });
  });
}

/** Throws Problem not_found. */
export async function endSessions(database: Database, id: string, actor: Actor): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const operator = await findOperator(transaction, { id });
    if (operator === null) throw unknownOperator();
    await deleteSessionsOf(transaction, operator.id);
    const summary = `Ended all sessions of ${operator.name}.`;
    const subject = subjectOf(operator);
    await recordAccess(transaction, { actor, action: 'end-sessions', subject, summary });
  });
}

/** One of the caller's own. Throws Problem not_found. */
export async function endOwnSession(
  database: Database,
  { id, session, actor }: { readonly id: string; readonly session: Session; readonly actor: Actor },
): Promise<void> {
  const { operator } = session;
  await inTransaction(database, async (transaction) => {
    if (!(await deleteSession(transaction, { id, operatorId: operator.id })))
      throw new Problem('not_found', 'There is no such session.');
    const summary = 'Ended a session of their own.';
    const subject = subjectOf(operator);
    await recordAccess(transaction, { actor, action: 'end-session', subject, summary });
  });
}

async function keepingAnOwner(change: Promise<OperatorRecord | null>): Promise<OperatorRecord> {
  const operator = await change.catch((error: unknown) => {
    throw isLastOwner(error)
      ? new Problem('conflict', 'This is the only owner: make somebody else an owner first.')
      : error;
  });
  if (operator === null) throw unknownOperator();
  return operator;
}

function subjectOf({ id }: OperatorRecord): Subject {
  return { kind: 'operator', id };
}

function nounOf(role: OperatorRole): string {
  return role === 'owner' ? 'an owner' : 'a viewer';
}

function unknownOperator(): Problem {
  return new Problem('not_found', 'There is no such operator.');
}
