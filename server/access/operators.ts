import type { OperatorRole } from '../../contract/operator/access.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { readAddress } from '../mail/email-rules.ts';
import { conflict, Problem } from '../problem.ts';
import { ownSession } from './actor.ts';
import { addCall } from './add-call.ts';
import { openAccessChanges, orNotFound } from './change-access.ts';
import {
  deleteOperator,
  findOperator,
  insertOperator,
  isLastOwner,
  readOperators,
  updateRole,
} from './operator-store.ts';
import { deleteSession, deleteWaysIn, readKeyNames, readSessions } from './secret-store.ts';
import { readName } from './sign-in.ts';
import type { SignInMails } from './sign-in-mails.ts';

export function addAccountRoutes(server: HttpServer, database: Database, mails: SignInMails): void {
  const { kysely } = database;
  const change = openAccessChanges(database, 'operator');

  addCall(server, 'GET operators', async () => ({ operators: await readOperators(kysely) }));

  addCall(server, 'POST operators', async ({ actor, body: { name, email, role } }) => {
    const wanted = { address: readAddress(email), name: readName(name), role };
    const added = await change(actor, 'invite-operator', async (transaction) => {
      const refusal = 'The first operator must be an owner.';
      const subject = await keepingAnOwner(insertOperator(transaction, wanted), refusal);
      if (subject === null) throw conflict('An operator has this address already.');
      return { subject, summary: `Invited ${subject.name} as ${nounOf(role)}.` };
    });
    mails.sendInvitation(added);
    return added;
  });

  addCall(server, 'PUT operatorRole', async ({ actor, params: { operatorId }, body: { role } }) =>
    change(actor, 'change-role', async (transaction) => {
      const changed = await keepingAnOwner(updateRole(transaction, operatorId, role));
      const subject = orNotFound(changed, 'operator');
      const keys = role === 'owner' ? [] : await readKeyNames(transaction, operatorId);
      const end = keys.length === 0 ? '' : ` Suspended ${describeKeys(keys)}.`;
      return { subject, summary: `Made ${subject.name} ${nounOf(role)}.${end}` };
    }),
  );

  addCall(server, 'DELETE operator', async ({ actor, params: { operatorId } }) => {
    await change(actor, 'remove-operator', async (transaction) => {
      const keys = await readKeyNames(transaction, operatorId);
      const removed = await keepingAnOwner(deleteOperator(transaction, operatorId));
      const subject = orNotFound(removed, 'operator');
      const end = keys.length === 0 ? '' : ` Revoked ${describeKeys(keys)}.`;
      return { subject, summary: `Removed the operator ${subject.name}.${end}` };
    });
  });

  addCall(server, 'DELETE operatorSessions', async ({ actor, params: { operatorId } }) => {
    await change(actor, 'end-sessions', async (transaction) => {
      const found = await findOperator(transaction, { id: operatorId });
      const subject = orNotFound(found, 'operator');
      await deleteWaysIn(transaction, subject.id);
      return { subject, summary: `Ended all sessions of ${subject.name}.` };
    });
  });

  addCall(server, 'GET sessions', async (request) => {
    const current = ownSession(request);
    const sessions = await readSessions(kysely, current.operator.id);
    return {
      sessions: sessions.map((session) => ({
        ...session,
        is_current: session.id === current.id,
      })),
    };
  });

  addCall(server, 'DELETE oneSession', async (request) => {
    const { operator: subject } = ownSession(request);
    await change(request.actor, 'end-session', async (transaction) => {
      if (!(await deleteSession(transaction, subject.id, request.params.sessionId)))
        throw new Problem('not_found', 'There is no such session.');
      return { subject, summary: 'Ended a session of their own.' };
    });
  });
}

async function keepingAnOwner<T>(
  change: Promise<T>,
  refusal = 'This is the only owner: make somebody else an owner first.',
): Promise<T> {
  return await change.catch((error: unknown) => {
    throw isLastOwner(error) ? conflict(refusal) : error;
  });
}

function nounOf(role: OperatorRole): string {
  return { owner: 'an owner', viewer: 'a viewer', door: 'door staff' }[role];
}

function describeKeys(names: readonly string[]): string {
  return `the API key${names.length === 1 ? '' : 's'} "${names.join('", "')}"`;
}
