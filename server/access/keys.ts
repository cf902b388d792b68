import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { readMoment } from '../moment-field-rules.ts';
import { invalidField } from '../problem.ts';
import { addCall } from './add-call.ts';
import { openAccessChanges, orNotFound } from './change-access.ts';
import { deleteKey, insertKey, readKeys } from './secret-store.ts';
import { readName } from './sign-in.ts';

export function addKeyRoutes(server: HttpServer, database: Database): void {
  const change = openAccessChanges(database, 'key');

  addCall(server, 'GET keys', async () => ({ keys: await readKeys(database.kysely) }));

  addCall(server, 'POST keys', async ({ body: { name: text, scopes, ends_at: end }, actor }) => {
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
  });

  addCall(server, 'DELETE key', async ({ actor, params }) => {
    await change(actor, 'revoke-key', async (transaction) => {
      const subject = orNotFound(await deleteKey(transaction, params.keyId), 'key');
      return { subject, summary: `Revoked the API key "${subject.name}".` };
    });
  });
}
