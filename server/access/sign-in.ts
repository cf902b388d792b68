import type { Operator } from '../../contract/operator/access.ts';
import type { Database, Reader } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { type EmailAddress, readAddress } from '../mail/email-rules.ts';
import { conflict, invalidField, Problem } from '../problem.ts';
import type { Actor } from './actor.ts';
import { hasAddress, recordAccess } from './audit/record-audit.ts';
import { findOperator, findOwners, hasOperators, insertFirstOwner } from './operator-store.ts';
import {
  deleteSessionBySecret,
  findLink,
  insertLink,
  insertSession,
  takeLink,
} from './secret-store.ts';

type Kysely = Database['kysely'];

export type SignIn = { readonly operator: Operator; readonly secret: string };

export type Arrival = { readonly device: string; readonly previousSecret: string | null };

/** A link for this operator, the only owner, or the first one. Throws Problem. */
export async function createLinkFor(database: Database, email: string | null, actor: Actor) {
  return await inTransaction(database, async (transaction) => {
    const operator = (await hasOperators(transaction)) ? await choose(transaction, email) : null;
    const link = await createLink(transaction, operator);
    const subject = operator && { kind: 'operator', id: operator.id };
    const summary = `Made a link that signs in ${operator?.name ?? 'the first owner'}.`;
    await recordAccess(transaction, actor, 'make-sign-in-link', subject, summary);
    return link;
  });
}

async function choose(kysely: Kysely, email: string | null): Promise<Operator> {
  if (email !== null) {
    const operator = await findOperator(kysely, readAddress(email));
    if (operator === null) throw new Problem('not_found', 'No operator has this address.');
    return operator;
  }
  const [owner, other] = await findOwners(kysely);
  if (owner === undefined || other !== undefined)
    throw conflict('There is more than one owner: say for which address.');
  return owner;
}

export async function createFirstOwnerLink({ kysely }: Reader) {
  return (await hasOperators(kysely)) ? null : await createLink(kysely, null);
}

export async function createLinkForMail({ kysely }: Database, address: EmailAddress) {
  const operator = await findOperator(kysely, address);
  if (operator === null) return null;
  return { ...(await createLink(kysely, operator)), email: operator.email };
}

/** Null for the first owner's link without a name, which stays usable. Throws Problem. */
export async function signInByLink(
  database: Database,
  token: string,
  owner: { readonly name: string; readonly email: string } | null,
  arrival: Arrival,
): Promise<SignIn | null> {
  const details = owner && { name: readName(owner.name), address: readAddress(owner.email) };
  // Outside a transaction: a flood of wrong links holds no connection.
  if ((await findLink(database.kysely, token)) === null) throw usedUp();
  return await inTransaction(database, async (transaction) => {
    const link = await findLink(transaction, token);
    const isForFirstOwner = link?.operator_id === null;
    if (isForFirstOwner && details === null && !(await hasOperators(transaction))) return null;
    if ((await takeLink(transaction, token)) === null) throw usedUp();
    const operator = isForFirstOwner
      ? details && (await insertFirstOwner(transaction, details))
      : await findOperator(transaction, { id: link?.operator_id ?? '' });
    if (!operator) throw usedUp();
    const way = isForFirstOwner ? 'Became the first owner' : 'Signed in by a link';
    return await beginSession(transaction, operator, arrival, way);
  });
}

export function signInByPasskey(database: Database, operator: Operator, arrival: Arrival) {
  const way = 'Signed in with a passkey';
  return inTransaction(database, (transaction) =>
    beginSession(transaction, operator, arrival, way),
  );
}

async function beginSession(
  transaction: Transaction,
  operator: Operator,
  { device, previousSecret }: Arrival,
  way: string,
): Promise<SignIn> {
  const { id, name } = operator;
  if (previousSecret !== null) await deleteSessionBySecret(transaction, previousSecret);
  const secret = await insertSession(transaction, id, device);
  const actor = { kind: 'operator', id, name } as const;
  await recordAccess(transaction, actor, 'sign-in', actor, `${way} (${device}).`);
  return { operator, secret };
}

export function readName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidField('The name must not be empty.');
  if (/\p{Cc}/u.test(name)) throw invalidField('The name must not contain control characters.');
  if (hasAddress(name)) throw invalidField('Please give a name without an e-mail address.');
  return name;
}

async function createLink(kysely: Kysely, operator: Operator | null) {
  const made = await insertLink(kysely, operator?.id ?? null);
  return { ...made, email: operator?.email ?? null };
}

function usedUp(): Problem {
  return new Problem(
    'not_authorized',
    'This link was used before, or is too old. Ask for a new one.',
  );
}
