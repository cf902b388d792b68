import {
  Passkey,
  Passkeys as PasskeyList,
  PasskeyOptions,
} from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { ownSession } from './actor.ts';
import { openAccessChanges, orNotFound } from './change-access.ts';
import { deletePasskey, readPasskeys, renamePasskey } from './operator-store.ts';
import type { Passkeys } from './passkeys.ts';
import { idParameter, NOTHING, operatorRoutes } from './route-schemas.ts';
import { readName } from './sign-in.ts';

const route = operatorRoutes('Passkeys');
const PASSKEY = idParameter('passkeyId');

export function addPasskeyRoutes(server: HttpServer, database: Database, passkeys: Passkeys): void {
  const { kysely } = database;
  const change = openAccessChanges(database, 'passkey');

  server.get(
    operatorPaths.passkeys,
    route('self', 'GET passkeys', { response: { 200: PasskeyList } }),
    async (request) => ({ passkeys: await readPasskeys(kysely, ownSession(request).operator.id) }),
  );

  server.post(
    operatorPaths.newPasskey,
    route('self', 'POST newPasskey', { response: { 200: PasskeyOptions, 409: ErrorBody } }),
    async (request) => await passkeys.invite(ownSession(request).operator),
  );

  server.post(
    operatorPaths.passkeys,
    route('self', 'POST passkeys', {
      response: { 201: Passkey, 409: ErrorBody, ...REFUSED_BODY },
    }),
    async (request) => {
      const { operator } = ownSession(request);
      return await passkeys.add(operator, request.body);
    },
  );

  server.put(
    operatorPaths.passkey,
    route('self', 'PUT passkey', {
      params: PASSKEY,
      response: { 204: NOTHING, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async (request) => {
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
    },
  );

  server.delete(
    operatorPaths.passkey,
    route('self', 'DELETE passkey', {
      params: PASSKEY,
      response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
    }),
    async (request) => {
      const passkey = {
        id: request.params.passkeyId,
        operator_id: ownSession(request).operator.id,
      };
      await change(request.actor, 'remove-passkey', async (transaction) => {
        const name = orNotFound(await deletePasskey(transaction, passkey), 'passkey');
        return { subject: passkey, summary: `Removed the passkey "${name}".` };
      });
    },
  );
}
