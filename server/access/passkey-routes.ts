import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { ownSession } from './actor.ts';
import { addCall } from './add-call.ts';
import { openAccessChanges, orNotFound } from './change-access.ts';
import { deletePasskey, readPasskeys, renamePasskey } from './operator-store.ts';
import type { Passkeys } from './passkeys.ts';
import { readName } from './sign-in.ts';

export function addPasskeyRoutes(server: HttpServer, database: Database, passkeys: Passkeys): void {
  const { kysely } = database;
  const change = openAccessChanges(database, 'passkey');

  addCall(server, 'GET passkeys', async (request) => ({
    passkeys: await readPasskeys(kysely, ownSession(request).operator.id),
  }));

  addCall(
    server,
    'POST newPasskey',
    async (request) => await passkeys.invite(ownSession(request).operator),
  );

  addCall(server, 'POST passkeys', async (request) => {
    const { operator } = ownSession(request);
    return await passkeys.add(operator, request.body);
  });

  addCall(server, 'PUT passkey', async (request) => {
    const name = readName(request.body.name);
    const passkey = {
      id: request.params.passkeyId,
      operator_id: ownSession(request).operator.id,
    };
    await change(request.actor, 'rename-passkey', async (transaction) => {
      const before = orNotFound(await renamePasskey(transaction, passkey, name), 'passkey');
      const summary = `Renamed the passkey "${before}" to "${name}".`;
      return { subject: passkey, summary: before === name ? null : summary };
    });
  });

  addCall(server, 'DELETE passkey', async (request) => {
    const passkey = {
      id: request.params.passkeyId,
      operator_id: ownSession(request).operator.id,
    };
    await change(request.actor, 'remove-passkey', async (transaction) => {
      const name = orNotFound(await deletePasskey(transaction, passkey), 'passkey');
      return { subject: passkey, summary: `Removed the passkey "${name}".` };
    });
  });
}
