/** Paths that do not exist, and methods that a path does not have. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import type { HttpServer } from './http-server.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Call before the first route. Unknown paths are answered at once, before a body is read: `sendPage` for a browser outside the
 * API, JSON for the rest. The function that comes back is called after the last route: then every known path answers its
 * other methods with 405 and `Allow`.
 */
export function answerUnknownRequests(server: HttpServer, sendPage: NotFoundPage): () => void {
  const methodsOf = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOf.set(url, methods);
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done();
    else if (wantsPage(request)) sendPage(request, reply);
    else done(new Problem('unknown_path', 'There is nothing at this path.'));
  });
  return () => {
    for (const [url, methods] of [...methodsOf]) refuseOtherMethods(server, url, methods);
  };
}

function refuseOtherMethods(server: HttpServer, url: string, methods: ReadonlySet<string>): void {
  const others = METHODS.filter((method) => !methods.has(method));
  const allow = [...methods, 'OPTIONS'].join(', ');
  server.route({
    method: others,
    url,
    schema: { hide: true },
    // In this hook, not in the handler: a wrong method is told before its body is read.
    onRequest: async (request, reply) => {
      reply.header('allow', allow);
      if (request.method === 'OPTIONS') return reply.code(204).send();
      throw new Problem('method_not_allowed', `This path does not answer ${request.method}.`);
    },
    handler: async () => undefined,
  });
}

function wantsPage({ url, headers, method }: FastifyRequest): boolean {
  const isBrowsing = method === 'GET' || method === 'HEAD';
  return isBrowsing && !/^\/(api|operator)(\/|\?|$)/.test(url) && (headers.accept ?? '').includes('text/html');
}
