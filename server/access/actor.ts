import type { FastifyRequest, FastifySchema, RouteOptions } from 'fastify';
import type { Access } from '../../contract/operator/calls/call.ts';
import { ErrorBody } from '../../contract/schemas.ts';
import type { HttpServer } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import { isFromElsewhere } from './same-origin.ts';
import type { Session } from './secret-store.ts';

/** An actor of the audit log. `id` is null for the operator token and the system. */
export type Actor = {
  readonly kind: 'operator' | 'api_key' | 'token' | 'system';
  readonly id: string | null;
  readonly name: string;
};

export type Caller = {
  readonly actor: Actor;
  readonly may: ReadonlySet<Access>;
  readonly session: Session | null;
};

/** Throws Problem not_authorized for nobody, or rate_limited after too many wrong secrets. */
export type Identify = (request: FastifyRequest) => Promise<Caller>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest extends Caller {}
}

const REFUSED: Readonly<Record<Access, string>> = {
  anyone: 'You may not do this.',
  known: 'You may not do this.',
  self: 'This is for operators who have signed in.',
  read: 'You may not see this.',
  write: 'You may look, but not change anything.',
  export: 'You may not export the list.',
  redeem: 'You may not use up passes.',
  owner: 'Only an owner may do this.',
};

/** Requires `config: { access }` of every route that is added to the scope later. */
export function requireAccess(
  operator: HttpServer,
  { identify, publicUrl }: { readonly identify: Identify; readonly publicUrl: string },
): void {
  operator.decorateRequest('actor');
  operator.decorateRequest('may');
  operator.decorateRequest('session');
  operator.addHook('onRoute', describeAccess);
  operator.addHook('onRequest', async (request) => {
    const { method, headers } = request;
    if (isFromElsewhere({ method, headers, publicUrl })) throw crossSite();
    const access = request.routeOptions.config.access ?? 'owner';
    if (access === 'anyone') return;
    const caller = await identify(request);
    if (access !== 'known') assertMay(caller.may, access);
    Object.assign(request, caller);
  });
  operator.addHook('preHandler', async ({ routeOptions }, reply) => {
    reply.code(successOf(routeOptions.schema));
  });
}

export function assertMay(may: ReadonlySet<Access>, access: Access): void {
  if (!may.has(access)) throw new Problem('not_allowed', REFUSED[access]);
}

export function ownSession({ session }: FastifyRequest): Session {
  if (session === null) throw new Problem('not_allowed', REFUSED.self);
  return session;
}

export function crossSite(): Problem {
  return new Problem('cross_site', 'This was sent from another site: use the console itself.');
}

function describeAccess(route: RouteOptions): void {
  const access = route.config?.access;
  if (access === undefined)
    throw new Error(`${route.method} ${route.url} does not say who may call it: config.access`);
  const { response, ...schema } = route.schema ?? {};
  route.schema = Object.assign(schema, {
    security: schemesOf(access).map((name) => ({ [name]: [] })),
    'x-access': access,
    response: { 401: ErrorBody, 403: ErrorBody, 429: ErrorBody, ...(response as object) },
  });
}

function successOf(schema: FastifySchema | undefined): number {
  return Number(Object.keys(schema?.response ?? {}).find((status) => status < '300') ?? 200);
}

function schemesOf(access: Access): string[] {
  if (access === 'anyone') return [];
  if (access === 'self') return ['cookie'];
  return access === 'owner' ? ['token', 'cookie'] : ['token', 'cookie', 'key'];
}
