/** Who calls the operator API, and the rule that every route of it says who may call. */
import type { FastifyRequest, RouteOptions } from 'fastify';
import { ErrorBody } from '../../../contract/schemas.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';

/**
 * What a call needs: `read` shows, `write` changes, `export` takes the list out, `owner` is for
 * owners and the operator token.
 */
export type Access = 'read' | 'write' | 'export' | 'owner';

/** Who acts, as the audit log names them. `id` is null for the operator token and the system. */
export type Actor = {
  readonly kind: 'operator' | 'api_key' | 'token' | 'system';
  readonly id: string | null;
  readonly name: string;
};

/** An actor, and what they may do. */
type Caller = { readonly actor: Actor; readonly may: ReadonlySet<Access> };

/** Throws Problem not_authorized for nobody, or rate_limited after too many wrong secrets. */
export type Identify = (request: FastifyRequest) => Promise<Caller>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required of every route of the operator API. */
    access?: Access;
  }
  interface FastifyRequest {
    /** Set on routes of the operator API only, before their handlers run. */
    actor: Actor;
  }
}

const REFUSED: Readonly<Record<Access, string>> = {
  read: 'You may not see this.',
  write: 'You may look, but not change anything.',
  export: 'You may not take the list out.',
  owner: 'Only an owner may do this.',
};

/**
 * For a scope that holds the operator API alone. Routes registered later throw unless they have
 * `config: { access }`, and answer 401 or 403 to callers without it.
 */
export function requireAccess(operator: HttpServer, identify: Identify): void {
  operator.decorateRequest('actor');
  operator.addHook('onRoute', describeAccess);
  operator.addHook('onRequest', async (request) => {
    const { actor, may } = await identify(request);
    const access = request.routeOptions.config.access ?? 'owner';
    if (!may.has(access)) throw new Problem('not_allowed', REFUSED[access]);
    request.actor = actor;
  });
}

/** Adds to the route's description who may call it, and how they are refused. */
function describeAccess(route: RouteOptions): void {
  const access = route.config?.access;
  if (access === undefined)
    throw new Error(`${route.method} ${route.url} does not say who may call it: config.access`);
  const schemes = access === 'owner' ? ['token', 'cookie'] : ['token', 'cookie', 'key'];
  const { response, ...schema } = route.schema ?? {};
  route.schema = Object.assign(schema, {
    security: schemes.map((name) => ({ [name]: [] })),
    'x-access': access,
    response: { 401: ErrorBody, 403: ErrorBody, 429: ErrorBody, ...(response as object) },
  });
}
