import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import validators from '@fastify/ajv-compiler';
import serializers, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';
import { openRanges } from './admission/client-address.ts';
import { rawAnswer } from './admission/refusals.ts';
import { answerError, toProblem } from './errors.ts';
import { addGracefulShutdown } from './graceful-shutdown.ts';
import type { HttpServer } from './http-server.ts';
import { addRequestLog } from './request-log.ts';
import type { SecurityHeaders } from './security-headers.ts';
import { type NotFoundPage, wantsPage } from './unknown-requests.ts';

const REQUEST_TIMEOUT_MS = 10_000;
const IDLE_SOCKET_TIMEOUT_MS = 30_000;
/** Longer than the 60 s of common proxies, so that the proxy closes an idle connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
export const BODY_LIMIT_BYTES = 16 * 1024;
const HEADER_LIMIT_BYTES = 16 * 1024;

type ValidatorFactory = ReturnType<typeof validators>;
type Compiled = { (data: unknown): unknown; errors?: unknown };
type Compile = (route: never) => Compiled;

/** Compiling at the start took a quarter of it (decision 0007). Names of headers are lower case. */
const lateCompilers = {
  buildValidator: (...setUp: Parameters<ValidatorFactory>) => compileLate(validators()(...setUp)),
  buildSerializer: (...setUp: Parameters<SerializerFactory>) =>
    compileLate(serializers()(...setUp)),
};

function compileLate<Late>(compile: Late): Late {
  const late = (route: never): Compiled => {
    let compiled: Compiled | undefined;
    const run: Compiled = (data) => {
      compiled ??= (compile as Compile)(route);
      const result = compiled(data);
      // Fastify reads a validator's errors from the function.
      run.errors = compiled.errors;
      return result;
    };
    return run;
  };
  return late as Late;
}

type HttpServerOptions = {
  readonly config: Pick<Config, 'trustProxy'>;
  readonly log: FastifyBaseLogger | false;
  readonly headers: SecurityHeaders;
  readonly sendNotFound: NotFoundPage;
  readonly requestTimeoutMs?: number;
};

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { config, log, headers, sendNotFound } = options;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const server: HttpServer = Fastify({
    ...(log === false ? { logger: false as const } : { loggerInstance: log }),
    logController: new LogController({ disableRequestLogging: true }),
    // Slow requests are cut a few at a time. The default of 30 s cuts a crowd at once.
    http: {
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 100,
      maxHeaderSize: HEADER_LIMIT_BYTES,
      // Node's own refusal has no body, so a hook checks the header.
      requireHostHeader: false,
    },
    requestTimeout: requestTimeoutMs,
    connectionTimeout: IDLE_SOCKET_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.trustProxy.length === 0 ? false : openRanges(config.trustProxy),
    // The limit of headers holds for paths, too: an invite is opened by all that was pasted.
    routerOptions: { maxParamLength: HEADER_LIMIT_BYTES },
    rewriteUrl: ({ url = '/' }) => makeReadable(url),
    return503OnClosing: false,
    schemaController: { compilersFactory: lateCompilers },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        discriminator: true,
      },
    },
    frameworkErrors: (error, request, reply) => {
      setStandingHeaders(request, reply, headers);
      if (toProblem(error)?.code === 'unknown_path' && wantsPage(request))
        sendNotFound(request, reply);
      else answerError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.removeContentTypeParser('text/plain');
  server.setErrorHandler(answerError);
  // A complete request is processed even if its client has closed its side.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  server.server.on('checkExpectation', (_request, response: ServerResponse) =>
    refuseExpectation(response, headers),
  );
  server.addHook('onRequest', (request, reply, done) => {
    setStandingHeaders(request, reply, headers);
    done(problemWithHost(request.raw));
  });
  addRequestLog(server);
  addGracefulShutdown(server);
  return server;
}

/** A path that cannot be decoded is taken literally, so that its page can say what is wrong. */
function makeReadable(url: string): string {
  if (!url.includes('%')) return url;
  const path = url.replace(/[?#].*/s, '');
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** Proxy and server could each choose another one of two hosts. */
function problemWithHost({ httpVersion, rawHeaders }: IncomingMessage): Problem | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) return new Problem('bad_host', 'The request names more than one host.');
  if (hosts === 0 && httpVersion === '1.1')
    return new Problem('bad_host', 'The request names no host.');
  return undefined;
}

function setStandingHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: SecurityHeaders,
): void {
  reply.headers(headers);
  // The URL may have escapes or an origin in front, so the route is preferred.
  const path = request.routeOptions.url ?? request.url;
  if (path.startsWith('/api/'))
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
}

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

function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (socket.bytesRead === 0) {
    // Browsers open connections ahead of need. An answer could be mistaken for that of a request on
    // its way, so there is none. The delay lets a busy server read what has arrived.
    setImmediate(() => {
      if (socket.bytesRead === 0) socket.destroy();
    });
  } else {
    const [status, detail] = brokenRequestAnswer(error.code);
    socket.end(rawAnswer(status, detail), () => socket.destroy());
  }
}

function brokenRequestAnswer(code: string | undefined): readonly [string, string] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['408 Request Timeout', 'The request took too long to arrive.'];
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'The request header is too large.'];
  return ['400 Bad Request', 'The request is not valid HTTP.'];
}
