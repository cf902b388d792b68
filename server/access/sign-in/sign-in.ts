/** Links that sign in once, and the sessions that they and passkeys begin. */

import { hasAddress } from '../../changes/audit/assert-reason.ts';
import { recordAccess } from '../../changes/audit/record-access.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { type EmailAddress, readEmail } from '../../mail/email-rules.ts';
import { Problem } from '../../problem.ts';
import type { Actor } from '../actor.ts';
import {
  findOperator,
  findOwners,
  hasOperators,
  insertFirstOwner,
  type OperatorRecord,
} from '../people/operator-store.ts';
import { drawSecret, hashSecret } from '../secrets.ts';
import {
  deleteExpiredSecrets,
  findSecret,
  insertSecret,
  takeSecret,
} from './one-time-secret-store.ts';
import { deleteEndedSessions, deleteSessionBySecret, insertSession } from './session-store.ts';

type Kysely = Database['kysely'];

export type NewLink = {
  readonly token: string;
  readonly email: string | null;
  readonly expiresAt: Date;
};

/** Where a session begins: the device, and the session that it replaces, if any. */
export type Arrival = { readonly device: string; readonly previousSecret: string | null };

/** The name and address that the first owner gives. */
export type OwnerDetails = { readonly name: string; readonly email: string };

type SignInResult =
  | { readonly operator: OperatorRecord; readonly secret: string }
  | { readonly operator: null; readonly secret: null };

const USED_UP = 'This link was used before, or is too old. Ask for a new one.';

/**
 * A link for the operator with this address, or for the only owner. Without any operator its holder
 * becomes the first owner. Throws Problem not_found or conflict.
 */
export async function createLinkFor(
  database: Database,
  email: string | null,
  actor: Actor,
): Promise<NewLink> {
  return await inTransaction(database, async (transaction) => {
    const operator = (await hasOperators(transaction)) ? await choose(transaction, email) : null;
    const link = await createLink(transaction, operator);
    await recordAccess(transaction, {
      actor,
      action: 'make-sign-in-link',
      subject: operator && { kind: 'operator', id: operator.id },
      summary: `Made a link that signs in ${operator?.name ?? 'the first owner'}.`,
    });
    return link;
  });
}

async function choose(kysely: Kysely, email: string | null): Promise<OperatorRecord> {
  if (email !== null) {
    const operator = await findOperator(kysely, { identity: readAddress(email).identity });
    if (operator === null) throw new Problem('not_found', 'No operator has this address.');
    return operator;
  }
  const [owner, other] = await findOwners(kysely);
  if (owner === undefined || other !== undefined)
    throw new Problem('conflict', 'There is more than one owner: say for which address.');
  return owner;
}

/** The same when the server starts: null once there is an operator. */
export async function createFirstOwnerLink({
  kysely,
}: Pick<Database, 'kysely'>): Promise<NewLink | null> {
  return (await hasOperators(kysely)) ? null : await createLink(kysely, null);
}

/** Deletes sessions and links that no longer open anything. Meant to run hourly. */
export async function deleteEnded(database: Pick<Database, 'kysely'>): Promise<void> {
  await deleteEndedSessions(database);
  await deleteExpiredSecrets(database);
}

/** A link for the operator with this address; null when nobody has it. */
export async function createLinkForMail(
  { kysely }: Pick<Database, 'kysely'>,
  { identity }: EmailAddress,
): Promise<(NewLink & { readonly email: string }) | null> {
  const operator = await findOperator(kysely, { identity });
  if (operator === null) return null;
  return { ...(await createLink(kysely, operator)), email: operator.email };
}

/**
 * Uses a link up, unless it is the first owner's and comes without their name. Throws Problem
 * not_authorized for a link that does not work, and invalid_field.
 */
export async function signInByLink(
  database: Database,
  { token, owner }: { readonly token: string; readonly owner: OwnerDetails | null },
  arrival: Arrival,
): Promise<SignInResult> {
  const details = owner === null ? null : readOwner(owner);
  return await inTransaction(database, async (transaction): Promise<SignInResult> => {
    const secretHash = hashSecret(token);
    const known = await findSecret(transaction, { secretHash, purpose: 'link' });
    if (known === null) throw new Problem('not_authorized', USED_UP);
    if (known.operatorId === null && details === null) {
      if (await hasOperators(transaction)) throw new Problem('not_authorized', USED_UP);
      return { operator: null, secret: null };
    }
    if ((await takeSecret(transaction, { secretHash, purpose: 'link' })) === null)
      throw new Problem('not_authorized', USED_UP);
    const operator =
      known.operatorId === null
        ? details && (await insertFirstOwner(transaction, details))
        : await findOperator(transaction, { id: known.operatorId });
    if (operator === null) throw new Problem('not_authorized', USED_UP);
    const way = known.operatorId === null ? 'Became the first owner' : 'Signed in by a link';
    return { operator, secret: await beginSession(transaction, operator, arrival, way) };
  });
}

/** Returns the secret of the new session of an operator whose passkey was checked. */
export async function signInByPasskey(
  database: Database,
  operator: OperatorRecord,
  arrival: Arrival,
): Promise<string> {
  return await inTransaction(database, (transaction) =>
    beginSession(transaction, operator, arrival, 'Signed in with a passkey'),
  );
}

/** Returns the secret of the new session. Ends the one that the browser had. */
async function beginSession(
  transaction: Transaction,
  { id, name }: OperatorRecord,
  { device, previousSecret }: Arrival,
  way: string,
): Promise<string> {
  if (previousSecret !== null) await deleteSessionBySecret(transaction, hashSecret(previousSecret));
  const secret = drawSecret();
  await insertSession(transaction, { secretHash: hashSecret(secret), operatorId: id, device });
  await recordAccess(transaction, {
    actor: { kind: 'operator', id, name },
    action: 'sign-in',
    subject: { kind: 'operator', id },
    summary: `${way} (${device}).`,
  });
  return secret;
}

/** Throws Problem invalid_field. */
export function readAddress(text: string): EmailAddress {
  const address = readEmail(text);
  if (address === null) throw new Problem('invalid_field', 'This is not an e-mail address.');
  return address;
}

/** A name that is safe in the audit log. Throws Problem invalid_field. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === '') throw new Problem('invalid_field', 'The name must not be empty.');
  if (/\p{Cc}/u.test(name))
    throw new Problem('invalid_field', 'The name must not contain control characters.');
  if (hasAddress(name))
    throw new Problem('invalid_field', 'Please give a name without an e-mail address.');
  return name;
}

function readOwner({ name, email }: OwnerDetails) {
  return { name: readName(name), address: readAddress(email) };
}

async function createLink(kysely: Kysely, operator: OperatorRecord | null): Promise<NewLink> {
  const token = drawSecret();
  const secretHash = hashSecret(token);
  const operatorId = operator?.id ?? null;
  const expiresAt = await insertSecret(kysely, { secretHash, purpose: 'link', operatorId });
  return { token, email: operator?.email ?? null, expiresAt };
}
