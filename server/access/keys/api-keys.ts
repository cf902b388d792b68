/** API keys: for scripts, each within its scopes. */
import type { KeyScope, NewKey } from '../../../contract/operator/access.ts';
import { recordAccess } from '../../changes/audit/record-access.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import type { Actor } from '../actor.ts';
import { drawSecret, hashSecret } from '../secrets.ts';
import { readName } from '../sign-in/sign-in.ts';
import { deleteKey, insertKey, type KeyRecord, touchKey } from './key-store.ts';

/** People and programs that look for lost secrets know a key by this. */
const PREFIX = 'waitlist_key_';
const HINT_LENGTH = PREFIX.length + 4;

/** The only moment at which the key itself is known. Throws Problem invalid_field. */
export async function createKey(
  database: Database,
  { name: text, scopes }: { readonly name: string; readonly scopes: readonly KeyScope[] },
  actor: Actor,
): Promise<NewKey> {
  const key = PREFIX + drawSecret();
  const name = readName(text);
  const id = await inTransaction(database, async (transaction) => {
    const id = await insertKey(transaction, {
      name,
      secretHash: hashSecret(key),
      hint: key.slice(0, HINT_LENGTH),
      scopes,
      createdBy: actor.kind === 'operator' ? actor.id : null,
    });
    await recordAccess(transaction, {
      actor,
      action: 'make-key',
      subject: { kind: 'key', id },
      summary: `Made the API key "${name}", which may ${scopes.join(', ')}.`,
    });
    return id;
  });
  return { id, key };
}

/** Whether a bearer token is meant to be an API key. */
export function isKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Null for a key that is unknown or revoked. */
export async function findKey(
  { kysely }: Pick<Database, 'kysely'>,
  key: string,
): Promise<KeyRecord | null> {
  return await touchKey(kysely, hashSecret(key));
}

/** From now on it opens nothing. Throws Problem not_found. */
export async function revokeKey(database: Database, id: string, actor: Actor): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const revoked = await deleteKey(transaction, id);
    if (revoked === null) throw new Problem('not_found', 'There is no such key.');
    await recordAccess(transaction, {
      actor,
      action: 'revoke-key',
      subject: { kind: 'key', id: revoked.id },
      summary: `Revoked the API key "${revoked.name}".`,
    });
  });
}
