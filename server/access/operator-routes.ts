import {
  InviteRequest,
  Operator,
  Operators,
  RoleRequest,
  Sessions,
} from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { ownSession } from './actor.ts';
import { readOperators } from './operator-store.ts';
import {
  changeRole,
  endOwnSession,
  endSessions,
  inviteOperator,
  removeOperator,
} from './operators.ts';
import { idParameter, NOTHING, operatorRoutes } from './route-schemas.ts';
import { readSessions } from './secret-store.ts';
import type { SignInMails } from './sign-in-mails.ts';

type OperatorRouteOptions = { readonly database: Database; readonly mails: SignInMails };

const route = operatorRoutes('Operators');
const OPERATOR = idParameter('operatorId');

export function addOperatorRoutes(
  server: HttpServer,
  { database, mails }: OperatorRouteOptions,
): void {
  const { kysely } = database;

  server.get(
    operatorPaths.operators,
    route('read', 'All operators', { response: { 200: Operators } }),
    async () => ({ operators: await readOperators(kysely) }),
  );

  server.post(
    operatorPaths.operators,
    route('owner', 'Invite an operator', {
      description: 'They are mailed where to sign in.',
      body: InviteRequest,
      response: { 201: Operator, 409: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, body }, reply) => {
      const operator = await inviteOperator(database, body, actor);
      mails.sendInvitation(operator);
      return reply.code(201).send(operator);
    },
  );

  server.put(
    operatorPaths.operatorRole,
    route('owner', 'Change what an operator may do', {
      description: 'At once, in their open sessions too. The last owner stays one.',
      params: OPERATOR,
      body: RoleRequest,
      response: { 200: Operator, 404: ErrorBody, 409: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, params, body }) => changeRole(database, params.operatorId, body.role, actor),
  );

  server.delete(
    operatorPaths.operator,
    route('owner', 'Remove an operator', {
      description: 'Ends their sessions. The last owner stays.',
      params: OPERATOR,
      response: { 204: NOTHING, 404: ErrorBody, 409: ErrorBody, 422: ErrorBody },
    }),
    async ({ actor, params }, reply) => {
      await removeOperator(database, params.operatorId, actor);
      return reply.code(204).send();
    },
  );

  server.delete(
    operatorPaths.operatorSessions,
    route('owner', 'End all sessions of an operator', {
      params: OPERATOR,
      response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ actor, params }, reply) => {
      await endSessions(database, params.operatorId, actor);
      return reply.code(204).send();
    },
  );

  server.get(
    operatorPaths.sessions,
    route('self', 'Your open sessions', { response: { 200: Sessions } }),
    async (request) => {
      const current = ownSession(request);
      const sessions = await readSessions(kysely, current.operator.id);
      return { sessions: sessions.map((one) => ({ ...one, is_current: one.id === current.id })) };
    },
  );

  server.delete(
    operatorPaths.oneSession,
    route('self', 'End one of your sessions', {
      params: idParameter('sessionId'),
      response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
    }),
    async (request, reply) => {
      const { actor, params } = request;
      await endOwnSession(database, params.sessionId, ownSession(request).operator, actor);
      return reply.code(204).send();
    },
  );
}
