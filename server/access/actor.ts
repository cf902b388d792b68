/** Who calls the operator API, and the rule that every route of it says who may call. */
import type { FastifyRequest, RouteOptions } from 'fastify';
import { ErrorBody } from '../../contract/schemas.ts';
import type { HttpServer } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import { isFromElsewhere } from './same-origin.ts';
import type { Session } from './sign-in/session-store.ts';

/**
 * What a call needs: `read` shows, `write` changes, `export` downloads the list, `redeem` uses
 * up passes, `owner` is for owners and the operator token, `self` for whoever has signed in, about
 * themselves. `anyone` may try to sign in.
 */
export type Access = 'anyone' | 'self' | 'read' | 'write' | 'export' | 'redeem' | 'owner';

/** Who acts, as the audit log names them. `id` is null for the operator token and the system. */
export type Actor = {
  readonly kind: 'operator' | 'api_key' | 'token' | 'system';
  readonly id: string | null;
  readonly name: string;
};

/** An actor, and what they may do. */
export type Caller = {
  readonly actor: Actor;
  readonly may: ReadonlySet<Access>;
  /** Null for the operator token and API keys. */
  readonly session: Session | null;
};

/** Throws Problem not_authorized for nobody, or rate_limited after too many wrong secrets. */
export type Identify = (request: FastifyRequest) => Promise<Caller>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required of every route of the operator API. */
    access?: Access;
  }
  interface FastifyRequest {
    /** Set on routes of the operator API, except for anyone's, before their handlers run. */
    actor: Actor;
    /** What the actor may do. */
    may: ReadonlySet<Access>;
    /** The session of the actor; null for the operator token and API keys. */
    session: Session | null;
  }
}

const REFUSED: Readonly<Record<Access, string>> = {
  anyone: 'You may not do this.',
  self: 'This is for operators who have signed in.',
  read: 'You may not see this.',
  write: 'You may look, but not change anything.',
  export: 'You may not export the list.',
  redeem: 'You may not use up passes.',
  owner: 'Only an owner may do this.',
};

/** The security schemes of the document that allow a call. */
const SCHEMES: Readonly<Record<Access, readonly string[]>> = {
  anyone: [],
  self: ['cookie'],
  read: ['token', 'cookie', 'key'],
  write: ['token', 'cookie', 'key'],
  export: ['token', 'cookie', 'key'],
  redeem: ['token', 'cookie', 'key'],
  owner: ['token', 'cookie'],
};

/**
 * For a scope that holds the operator API alone. Routes registered later throw unless they have
 * `config: { access }`, and answer 401 or 403 to callers without it.
 */
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
    const { actor, may, session } = await identify(request);
    assertMay(may, access);
    request.actor = actor;
    request.may = may;
    request.session = session;
  });
}

/** For what a route alone cannot say. Throws Problem not_allowed. */
export function assertMay(may: ReadonlySet<Access>, access: Access): void {
  if (!may.has(access)) throw new Problem('not_allowed', REFUSED[access]);
}

/** The session of a route with `access: 'self'`. */
export function ownSession({ session }: FastifyRequest): Session {
  if (session === null) throw new Problem('not_allowed', REFUSED.self);
  return session;
}

export function crossSite(): Problem {
  return new Problem('cross_site', 'This was sent from another site: use the console itself.');
}

/** Adds to the route's description who may call it, and how they are refused. */
function describeAccess(route: RouteOptions): void {
  const access = route.config?.access;
  if (access === undefined)
    throw new Error(`${route.method} ${route.url} does not say who may call it: config.access`);
  const { response, ...schema } = route.schema ?? {};
  route.schema = Object.assign(schema, {
    security: SCHEMES[access].map((name) => ({ [name]: [] })),
    'x-access': access,
    response: { 401: ErrorBody, 403: ErrorBody, 429: ErrorBody, ...(response as object) },
  });
}
