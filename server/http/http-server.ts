/** The HTTP server itself: limits of time and size, what it believes of proxies. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';
import { answerError, toProblem } from './errors.ts';
import { addRequestLog } from './request-log.ts';
import type { SecurityHeaders } from './security-headers.ts';
import { stopGently } from './stopping.ts';
import { type NotFoundPage, wantsPage } from './unknown-requests.ts';

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** How long a whole request may take to arrive; its header may take no longer either. */
const REQUEST_TIMEOUT_MS = 10_000;
const IDLE_SOCKET_TIMEOUT_MS = 30_000;
/** Above the 60 s for which common proxies keep an idle connection, so that the proxy closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const BODY_LIMIT_BYTES = 16 * 1024;
const HEADER_LIMIT_BYTES = 16 * 1024;
/** Each costs some 10 KB: more are closed as soon as they are there. */
const MOST_CONNECTIONS = 10_000;

type HttpServerOptions = {
  readonly config: Pick<Config, 'trustProxy'>;
  readonly log: FastifyBaseLogger | false;
  readonly headers: SecurityHeaders;
  /** What a browser gets for a path that cannot be read. */
  readonly sendNotFound: NotFoundPage;
  readonly requestTimeoutMs?: number;
};

/** A server without routes. */
export function createHttpServer({
  config,
  log,
  headers,
  sendNotFound,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: HttpServerOptions): HttpServer {
  const server: HttpServer = Fastify({
    ...(log === false ? { logger: false as const } : { loggerInstance: log }),
    logController: new LogController({ disableRequestLogging: true }),
    // Node looks for slow requests only every 30 s by default. Often, so that a crowd of them is cut bit by bit: nobody waits for it.
    http: {
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 100,
      maxHeaderSize: HEADER_LIMIT_BYTES,
      // Refused below, with a sentence: Node's own refusal has none.
      requireHostHeader: false,
    },
    requestTimeout: requestTimeoutMs,
    connectionTimeout: IDLE_SOCKET_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    routerOptions: { maxParamLength: 300 },
    // Fastify's own answer is not in the shape that every error of this server has.
    return503OnClosing: false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    // A path that cannot be read reaches no route and so no hook.
    frameworkErrors: (error, request, reply) => {
      setStandingHeaders(request, reply, headers);
      if (toProblem(error)?.code === 'unknown_path' && wantsPage(request)) sendNotFound(request, reply);
      else answerError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.removeContentTypeParser('text/plain');
  server.setErrorHandler(answerError);
  server.server.maxConnections = MOST_CONNECTIONS;
  server.server.on('checkExpectation', (_request, response: ServerResponse) => refuseExpectation(response, headers));
  addStandingHeaders(server, headers);
  addRequestLog(server);
  stopGently(server);
  return server;
}

function addStandingHeaders(server: HttpServer, headers: SecurityHeaders): void {
  server.addHook('onRequest', (request, reply, done) => {
    setStandingHeaders(request, reply, headers);
    const isHostMissing = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    done(isHostMissing ? new Problem('no_host', 'The request names no host.') : undefined);
  });
}

function setStandingHeaders(request: FastifyRequest, reply: FastifyReply, headers: SecurityHeaders): void {
  reply.headers(headers);
  // By its route, where there is one: the same path can be written in escapes or after an origin.
  const path = request.routeOptions.url ?? request.url;
  if (path.startsWith('/api/')) reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
}

/** Node hands these over before there is a request for a route. */
function refuseExpectation(response: ServerResponse, headers: SecurityHeaders): void {
  const body = JSON.stringify({ detail: 'The expectation of this request cannot be met.' });
  response.writeHead(417, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(body);
}

/** What arrives before there is a request: a broken, oversized or too slow header. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = brokenRequestAnswer(error.code);
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function brokenRequestAnswer(code: string | undefined): readonly [string, string] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['408 Request Timeout', 'The request took too long to arrive.'];
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'The request header is too large.'];
  return ['400 Bad Request', 'The request is not valid HTTP.'];
}
