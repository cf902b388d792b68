import { ApiKeys, NewKey } from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { readMoment } from '../moment-field-rules.ts';
import { invalidField } from '../problem.ts';
import { openAccessChanges, orNotFound } from './change-access.ts';
import { idParameter, NOTHING, operatorRoutes } from './route-schemas.ts';
import { deleteKey, insertKey, readKeys } from './secret-store.ts';
import { readName } from './sign-in.ts';

const route = operatorRoutes('API keys');

export function addKeyRoutes(server: HttpServer, database: Database): void {
  const change = openAccessChanges(database, 'key');

  server.get(
    operatorPaths.keys,
    route('owner', 'GET keys', { response: { 200: ApiKeys } }),
    async () => ({ keys: await readKeys(database.kysely) }),
  );

  server.post(
    operatorPaths.keys,
    route('owner', 'POST keys', {
      description:
        'The answer shows the key this once. Send it as a bearer token. It works until its end, ' +
        'and as long as the operator who makes it is an owner.',
      response: { 201: NewKey, ...REFUSED_BODY },
    }),
    async ({ body: { name: text, scopes, ends_at: end }, actor }) => {
      const name = readName(text);
      const ends_at = readMoment('ends_at', end);
      if (ends_at !== null && ends_at.getTime() <= Date.now())
        throw invalidField('The end of a key must lie in the future.');
      const until = ends_at === null ? '' : ` until ${ends_at.toISOString()}`;
      const created_by = actor.kind === 'operator' ? actor.id : null;
      return await change(actor, 'make-key', async (transaction) => ({
        subject: await insertKey(transaction, { name, scopes, created_by, ends_at }),
        summary: `Made the API key "${name}", which may ${scopes.join(', ')}${until}.`,
      }));
    },
  );

  server.delete(
    operatorPaths.key,
    route('owner', 'DELETE key', {
      params: idParameter('keyId'),
      response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ actor, params }) => {
      await change(actor, 'revoke-key', async (transaction) => {
        const subject = orNotFound(await deleteKey(transaction, params.keyId), 'key');
        return { subject, summary: `Revoked the API key "${subject.name}".` };
      });
    },
  );
}
