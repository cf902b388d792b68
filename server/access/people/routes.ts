/** Operators, and the caller's own sessions. */
import {
  InviteRequest,
  Operator,
  Operators,
  RoleRequest,
  Sessions,
} from '../../../contract/operator/access.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { ownSession } from '../actor.ts';
import { idParameter, NOTHING } from '../route-schemas.ts';
import { readSessions } from '../sign-in/session-store.ts';
import type { SignInMails } from '../sign-in/sign-in-mails.ts';
import { readOperators } from './operator-store.ts';
import {
  changeRole,
  endOwnSession,
  endSessions,
  inviteOperator,
  removeOperator,
} from './operators.ts';

type PeopleOptions = { readonly database: Database; readonly mails: SignInMails };

const TAGS = ['Operators'];
const OWNER = { access: 'owner' } as const;
const OPERATOR = idParameter('operatorId');

export function addPeopleRoutes(server: HttpServer, { database, mails }: PeopleOptions): void {
  const { kysely } = database;

  server.get(
    operatorPaths.operators,
    {
      config: { access: 'read' },
      schema: { tags: TAGS, summary: 'All operators', response: { 200: Operators } },
    },
    async () => ({
      operators: (await readOperators(kysely)).map(({ createdAt, lastUsedAt, ...operator }) => ({
        ...operator,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
    }),
  );

  server.post(
    operatorPaths.operators,
    {
      config: OWNER,
      schema: {
        tags: TAGS,
        summary: 'Invite an operator',
        description: 'They are mailed where to sign in.',
        body: InviteRequest,
        response: { 201: Operator, 409: ErrorBody, ...REFUSED_BODY },
      },
    },
    async ({ actor, body }, reply) => {
      const operator = await inviteOperator(database, body, actor);
      mails.sendInvitation(operator);
      return reply.code(201).send(operator);
    },
  );

  server.put(
    operatorPaths.operatorRole,
    {
      config: OWNER,
      schema: {
        tags: TAGS,
        summary: 'Change what an operator may do',
        description: 'At once, in their open sessions too. The last owner stays one.',
        params: OPERATOR,
        body: RoleRequest,
        response: { 200: Operator, 404: ErrorBody, 409: ErrorBody, ...REFUSED_BODY },
      },
    },
    async ({ actor, params, body }) =>
      changeRole(database, { id: params.operatorId, role: body.role }, actor),
  );

  server.delete(
    operatorPaths.operator,
    {
      config: OWNER,
      schema: {
        tags: TAGS,
        summary: 'Remove an operator',
        description: 'Ends their sessions. The last owner stays.',
        params: OPERATOR,
        response: { 204: NOTHING, 404: ErrorBody, 409: ErrorBody, 422: ErrorBody },
      },
    },
    async ({ actor, params }, reply) => {
      await removeOperator(database, params.operatorId, actor);
      return reply.code(204).send();
    },
  );

  server.delete(
    operatorPaths.operatorSessions,
    {
      config: OWNER,
      schema: {
        tags: TAGS,
        summary: 'End all sessions of an operator',
        params: OPERATOR,
        response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
      },
    },
    async ({ actor, params }, reply) => {
      await endSessions(database, params.operatorId, actor);
      return reply.code(204).send();
    },
  );

  server.get(
    operatorPaths.sessions,
    {
      config: { access: 'self' },
      schema: { tags: TAGS, summary: 'Your open sessions', response: { 200: Sessions } },
    },
    async (request) => {
      const current = ownSession(request);
      const sessions = await readSessions(kysely, current.operator.id);
      return {
        sessions: sessions.map(({ id, device, createdAt, lastUsedAt }) => ({
          id,
          device,
          is_current: id === current.id,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
        })),
      };
    },
  );

  server.delete(
    operatorPaths.oneSession,
    {
      config: { access: 'self' },
      schema: {
        tags: TAGS,
        summary: 'End one of your sessions',
        params: idParameter('sessionId'),
        response: { 204: NOTHING, 404: ErrorBody, 422: ErrorBody },
      },
    },
    async (request, reply) => {
      const { actor, params } = request;
      await endOwnSession(database, { id: params.sessionId, session: ownSession(request), actor });
      return reply.code(204).send();
    },
  );
}
