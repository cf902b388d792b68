/** API keys: for scripts, each within its scopes. */
import type { KeyScope, NewKey } from '../../../../contract/operator/access.ts';
import type { Database } from '../../../db/database.ts';
import { Problem } from '../../../problem.ts';
import type { Actor } from '../actor.ts';
import { drawSecret, hashSecret } from '../secrets.ts';
import { readName } from '../sign-in/sign-in.ts';
import { deleteKey, insertKey, type KeyRecord, touchKey } from './key-store.ts';

/** People and programs that look for lost secrets know a key by this. */
const PREFIX = 'waitlist_key_';
const HINT_LENGTH = PREFIX.length + 4;

/** The only moment at which the key itself is known. Throws Problem invalid_field. */
export async function createKey(
  { kysely }: Pick<Database, 'kysely'>,
  { name, scopes }: { readonly name: string; readonly scopes: readonly KeyScope[] },
  actor: Actor,
): Promise<NewKey> {
  const key = PREFIX + drawSecret();
  const id = await insertKey(kysely, {
    name: readName(name),
    secretHash: hashSecret(key),
    hint: key.slice(0, HINT_LENGTH),
    scopes,
    createdBy: actor.kind === 'operator' ? actor.id : null,
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
export async function revokeKey({ kysely }: Pick<Database, 'kysely'>, id: string): Promise<void> {
  if ((await deleteKey(kysely, id)) === null)
    throw new Problem('not_found', 'There is no such key.');
}
