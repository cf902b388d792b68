import type { FastifyReply, FastifyRequest } from 'fastify';
import { findLinkedCode } from '../../contract/referral-code-rules.ts';
import { Problem } from '../problem.ts';
import type { HttpServer } from './http-server.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export type NotFoundPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Call before the first route, and the returned function, which adds 405, after the last. */
export function answerUnknownRequests(server: HttpServer, sendPage: NotFoundPage): () => void {
  const methodsOf = new Map<string, Set<string>>();
  let known: readonly KnownPath[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const allow = METHODS.includes(request.method) ? undefined : allowAt(known, request.url);
    if (allow !== undefined) done(refuseMethod(request, reply, allow));
    else if (wantsPage(request)) sendPage(request, reply);
    else done(new Problem('unknown_path', 'There is nothing at this path.'));
  });
  return () => {
    // The router prefers a fixed path to one with a parameter.
    const sorted = [...methodsOf].toSorted(([a], [b]) => countParameters(a) - countParameters(b));
    known = sorted.map(([pathname, methods]) => ({
      pattern: new URLPattern({ pathname }),
      allow: [...methods, 'OPTIONS'].join(', '),
    }));
    for (const [url, methods] of [...methodsOf]) refuseOtherMethods(server, url, methods);
  };
}

/**
 * Whether a page is wanted, and no API, however its path is spelled: a browser asks so, and any
 * link of an invite does.
 */
export function wantsPage({ url, headers, method }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    !/\/(api|operator)(\/|\?|$)/i.test(url) &&
    ((headers.accept ?? '').includes('text/html') || findLinkedCode(url) !== null)
  );
}

function refuseOtherMethods(server: HttpServer, url: string, methods: ReadonlySet<string>): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  server.route({
    method: METHODS.filter((method) => !methods.has(method)),
    url,
    schema: { hide: true },
    onRequest: async (request, reply) => {
      if (request.method === 'OPTIONS') return reply.header('allow', allow).code(204).send();
      throw refuseMethod(request, reply, allow);
    },
    handler: async () => undefined,
  });
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allow: string): Problem {
  reply.header('allow', allow);
  return new Problem('method_not_allowed', `This path does not answer ${request.method}.`);
}

/** Known paths for methods such as PROPFIND: routes for all thirty would bloat the router. */
type KnownPath = { readonly pattern: URLPattern; readonly allow: string };

function countParameters(pathname: string): number {
  return pathname.split('/:').length;
}

function allowAt(known: readonly KnownPath[], url: string): string | undefined {
  const pathname = url.replace(/\?.*$/s, '');
  return known.find(({ pattern }) => pattern.test({ pathname }))?.allow;
}
