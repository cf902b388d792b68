/** API keys, for owners. */
import { ApiKeys, NewKey, NewKeyRequest } from '../../../contract/operator/access.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { idParameter, NOTHING } from '../route-schemas.ts';
import { createKey, revokeKey } from './api-keys.ts';
import { readKeys } from './key-store.ts';

const TAGS = ['API keys'];
const OWNER = { access: 'owner' } as const;

export function addKeyRoutes(
  server: HttpServer,
  { database }: { readonly database: Database },
): void {
  server.get(
    operatorPaths.keys,
    {
      config: OWNER,
      schema: { tags: TAGS, summary: 'All API keys, without the keys', response: { 200: ApiKeys } },
    },
    async () => ({
      keys: (await readKeys(database.kysely)).map((key) => ({
        id: key.id,
        name: key.name,
        hint: key.hint,
        scopes: key.scopes,
        created_by: key.createdBy,
        created_at: key.createdAt.toISOString(),
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
      })),
    }),
  );

  server.post(
    operatorPaths.keys,
    {
      config: OWNER,
      schema: {
        tags: TAGS,
        summary: 'Make an API key',
        description: 'The answer shows the key this once. Send it as a bearer token.',
        body: NewKeyRequest,
        response: { 201: NewKey, ...REFUSED_BODY },
      },
    },
    async ({ body, actor }, reply) => reply.code(201).send(await createKey(database, body, actor)),
  );

  server.delete(
    operatorPaths.key,
    {
      config: OWNER,
      schema: {
        tags: TAGS,
        summary: 'Revoke an API key',
        params: idParameter('keyId'),
        response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
      },
    },
    async ({ actor, params }, reply) => {
      await revokeKey(database, params.keyId, actor);
      return reply.code(204).send();
    },
  );
}
