/** Inviting and removing operators, and what they may do. Each change has its audit entry. */
import type { Operator, OperatorRole } from '../../contract/operator/access.ts';
import { recordAccess } from '../changes/audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { Problem } from '../problem.ts';
import type { Actor } from './actor.ts';
import {
  deleteOperator,
  findOperator,
  insertOperator,
  isLastOwner,
  updateRole,
} from './operator-store.ts';
import { deleteSessions } from './secret-store.ts';
import { readAddress, readName } from './sign-in.ts';

/** Throws Problem invalid_field; conflict when the address is an operator's, or for no owner. */
export async function inviteOperator(
  database: Database,
  { name, email, role }: Pick<Operator, 'name' | 'email' | 'role'>,
  actor: Actor,
): Promise<Operator> {
  const wanted = { address: readAddress(email), name: readName(name), role };
  return await changeOperator(database, actor, 'invite-operator', async (transaction) => {
    const operator = await keepingAnOwner(
      insertOperator(transaction, wanted),
      'The first operator must be an owner.',
    );
    if (operator === undefined)
      throw new Problem('conflict', 'An operator has this address already.');
    return { operator, summary: `Invited ${operator.name} as ${nounOf(role)}.` };
  });
}

/** Throws Problem not_found; conflict for the last owner. */
export async function changeRole(
  database: Database,
  id: string,
  role: OperatorRole,
  actor: Actor,
): Promise<Operator> {
  return await changeOperator(database, actor, 'change-role', async (transaction) => {
    const operator = orUnknown(await keepingAnOwner(updateRole(transaction, id, role)));
    return { operator, summary: `Made ${operator.name} ${nounOf(role)}.` };
  });
}

/** Ends their sessions with them. Throws Problem not_found; conflict for the last owner. */
export async function removeOperator(database: Database, id: string, actor: Actor): Promise<void> {
  await changeOperator(database, actor, 'remove-operator', async (transaction) => {
    const operator = orUnknown(await keepingAnOwner(deleteOperator(transaction, id)));
    return { operator, summary: `Removed the operator ${operator.name}.` };
  });
}

export async function endSessions(database: Database, id: string, actor: Actor): Promise<void> {
  await changeOperator(database, actor, 'end-sessions', async (transaction) => {
    const operator = orUnknown(await findOperator(transaction, { id }));
    await deleteSessions(transaction, operator.id, null);
    return { operator, summary: `Ended all sessions of ${operator.name}.` };
  });
}

export async function endOwnSession(
  database: Database,
  id: string,
  operator: Operator,
  actor: Actor,
): Promise<void> {
  await changeOperator(database, actor, 'end-session', async (transaction) => {
    if (!(await deleteSessions(transaction, operator.id, id)))
      throw new Problem('not_found', 'There is no such session.');
    return { operator, summary: 'Ended a session of their own.' };
  });
}

async function changeOperator(
  database: Database,
  actor: Actor,
  action: string,
  change: (transaction: Transaction) => Promise<{ operator: Operator; summary: string }>,
): Promise<Operator> {
  return await inTransaction(database, async (transaction) => {
    const { operator, summary } = await change(transaction);
    const subject = { kind: 'operator', id: operator.id };
    await recordAccess(transaction, actor, action, subject, summary);
    return operator;
  });
}

async function keepingAnOwner<T>(
  change: Promise<T>,
  refusal = 'This is the only owner: make somebody else an owner first.',
): Promise<T> {
  return await change.catch((error: unknown) => {
    throw isLastOwner(error) ? new Problem('conflict', refusal) : error;
  });
}

function orUnknown(operator: Operator | undefined): Operator {
  if (operator === undefined) throw new Problem('not_found', 'There is no such operator.');
  return operator;
}

function nounOf(role: OperatorRole): string {
  return role === 'owner' ? 'an owner' : 'a viewer';
}
