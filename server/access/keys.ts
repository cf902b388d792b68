/** API keys of scripts, each within its scopes. Owners make and revoke them. */
import { ApiKeys, NewKey, NewKeyRequest } from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import { recordAccess } from '../changes/audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import type { HttpServer } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import type { Actor } from './actor.ts';
import { idParameter, NOTHING, operatorRoutes } from './route-schemas.ts';
import { deleteKey, insertKey, type Key, readKeys } from './secret-store.ts';
import { readName } from './sign-in.ts';

const route = operatorRoutes('API keys');

export function addKeyRoutes(
  server: HttpServer,
  { database }: { readonly database: Database },
): void {
  server.get(
    operatorPaths.keys,
    route('owner', 'All API keys, without the keys', { response: { 200: ApiKeys } }),
    async () => ({ keys: await readKeys(database.kysely) }),
  );

  server.post(
    operatorPaths.keys,
    route('owner', 'Make an API key', {
      description: 'The answer shows the key this once. Send it as a bearer token.',
      body: NewKeyRequest,
      response: { 201: NewKey, ...REFUSED_BODY },
    }),
    async ({ body, actor }, reply) => reply.code(201).send(await createKey(database, body, actor)),
  );

  server.delete(
    operatorPaths.key,
    route('owner', 'Revoke an API key', {
      params: idParameter('keyId'),
      response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ actor, params }, reply) => {
      await revokeKey(database, params.keyId, actor);
      return reply.code(204).send();
    },
  );
}

async function createKey(
  database: Database,
  { name: text, scopes }: Omit<Key, 'id'>,
  actor: Actor,
): Promise<NewKey> {
  const name = readName(text);
  const created_by = actor.kind === 'operator' ? actor.id : null;
  return await inTransaction(database, async (transaction) => {
    const { id, key } = await insertKey(transaction, { name, scopes, created_by });
    const summary = `Made the API key "${name}", which may ${scopes.join(', ')}.`;
    await recordAccess(transaction, actor, 'make-key', { kind: 'key', id }, summary);
    return { id, key };
  });
}

async function revokeKey(database: Database, id: string, actor: Actor): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const revoked = await deleteKey(transaction, id);
    if (revoked === undefined) throw new Problem('not_found', 'There is no such key.');
    const subject = { kind: 'key', id: revoked.id };
    const summary = `Revoked the API key "${revoked.name}".`;
    await recordAccess(transaction, actor, 'revoke-key', subject, summary);
  });
}
