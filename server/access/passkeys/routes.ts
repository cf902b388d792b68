/** The passkeys of the operator who has signed in. */
import {
  AddPasskeyRequest,
  Passkey,
  Passkeys as PasskeyList,
  PasskeyOptions,
  RenamePasskeyRequest,
} from '../../../contract/operator/access.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { recordAccess } from '../../changes/audit/record-access.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';
import { ownSession } from '../actor.ts';
import { idParameter, NOTHING } from '../route-schemas.ts';
import { readName } from '../sign-in/sign-in.ts';
import { deletePasskey, type ListedPasskey, readPasskeys, renamePasskey } from './passkey-store.ts';
import type { Passkeys } from './passkeys.ts';

type PasskeyRouteOptions = { readonly database: Database; readonly passkeys: Passkeys };

const TAGS = ['Passkeys'];
const SELF = { access: 'self' } as const;
const PASSKEY = idParameter('passkeyId');

export function addPasskeyRoutes(
  server: HttpServer,
  { database, passkeys }: PasskeyRouteOptions,
): void {
  const { kysely } = database;

  server.get(
    operatorPaths.passkeys,
    {
      config: SELF,
      schema: { tags: TAGS, summary: 'Your passkeys', response: { 200: PasskeyList } },
    },
    async (request) => ({
      passkeys: (await readPasskeys(kysely, ownSession(request).operator.id)).map(viewPasskey),
    }),
  );

  server.post(
    operatorPaths.newPasskey,
    {
      config: SELF,
      schema: {
        tags: TAGS,
        summary: 'Begin to add a passkey',
        response: { 200: PasskeyOptions, 409: ErrorBody },
      },
    },
    async (request) => await passkeys.invite(ownSession(request).operator),
  );

  server.post(
    operatorPaths.passkeys,
    {
      config: SELF,
      schema: {
        tags: TAGS,
        summary: 'Add a passkey',
        body: AddPasskeyRequest,
        response: { 201: Passkey, 409: ErrorBody, ...REFUSED_BODY },
      },
    },
    async (request, reply) => {
      const { operator } = ownSession(request);
      return reply.code(201).send(viewPasskey(await passkeys.add(operator, request.body)));
    },
  );

  server.put(
    operatorPaths.passkey,
    {
      config: SELF,
      schema: {
        tags: TAGS,
        summary: 'Rename a passkey',
        params: PASSKEY,
        body: RenamePasskeyRequest,
        response: { 204: NOTHING, 404: ErrorBody, ...REFUSED_BODY },
      },
    },
    async (request, reply) => {
      const name = readName(request.body.name);
      const own = { id: request.params.passkeyId, operatorId: ownSession(request).operator.id };
      await inTransaction(database, async (transaction) => {
        const before = await renamePasskey(transaction, { ...own, name });
        if (before === null) throw unknownPasskey();
        if (before === name) return;
        await recordAccess(transaction, {
          actor: request.actor,
          action: 'rename-passkey',
          subject: { kind: 'passkey', id: own.id },
          summary: `Renamed the passkey "${before}" to "${name}".`,
        });
      });
      return reply.code(204).send();
    },
  );

  server.delete(
    operatorPaths.passkey,
    {
      config: SELF,
      schema: {
        tags: TAGS,
        summary: 'Remove a passkey',
        params: PASSKEY,
        response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
      },
    },
    async (request, reply) => {
      const own = { id: request.params.passkeyId, operatorId: ownSession(request).operator.id };
      await inTransaction(database, async (transaction) => {
        const removed = await deletePasskey(transaction, own);
        if (removed === null) throw unknownPasskey();
        await recordAccess(transaction, {
          actor: request.actor,
          action: 'remove-passkey',
          subject: { kind: 'passkey', id: removed.id },
          summary: `Removed the passkey "${removed.name}".`,
        });
      });
      return reply.code(204).send();
    },
  );
}

function viewPasskey({ id, name, createdAt, lastUsedAt }: ListedPasskey) {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

function unknownPasskey(): Problem {
  return new Problem('not_found', 'There is no such passkey.');
}
