/** Load shedding: bounds the requests under way. Others get 503 before Fastify sees them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpServer } from './http-server.ts';
import type { SecurityHeaders } from './security-headers.ts';

export type Admission = {
  /** Requests that are being worked on. */
  underWay(): number;
  /** Requests refused since the start. */
  refused(): number;
};

type Arrival = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** A small machine answers this many within a second. A thousand visitors at once get in. */
const MAX_UNDER_WAY = 1024;
/** Extra room for health checks and the operator: a busy server must not look dead. */
const MAX_RESERVED = 64;
const RESERVED_PATH = /^\/(healthz|readyz|metrics|operator\/)/;

/** The embedded database works on this thread: the loop must read and refuse others in between. */
const MAX_BEGUN_PER_TURN = 128;
/** Node accepts one connection per turn of the loop. A crowd is let in before more work begins. */
const MAX_ACCEPT_TURNS = 1024;

const RETRY_AFTER_SECONDS = '2';
const DETAIL = 'Too many people are here at once. Please try again in a moment.';

/** Its hash belongs in the content security policy. */
export const REFUSAL_STYLE =
  '<style>:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;' +
  'max-width:30rem;margin:30vh auto 0;padding:0 1.5rem}</style>';
const REFUSAL_PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width"><title>One moment</title>' +
  `${REFUSAL_STYLE}</head><body><h1>One moment</h1><p>${DETAIL}</p></body></html>`;
const REFUSAL_JSON = JSON.stringify({ detail: DETAIL });

/** Call before the first route. Requests that are injected without a socket are not refused. */
export function addAdmission(server: HttpServer, headers: SecurityHeaders): Admission {
  const underWay = new Set<FastifyRequest>();
  const queue: Arrival[] = [];
  let refused = 0;
  let hasNewConnection = false;
  let acceptTurns = 0;

  // From the last byte of the body to the first byte of the answer: slow clients hold no slot.
  server.addHook('preValidation', (request, _reply, done) => {
    underWay.add(request);
    done();
  });
  server.addHook('onSend', (request, _reply, _payload, done) => {
    underWay.delete(request);
    done();
  });

  const handlers = server.server.listeners('request');
  server.server.removeAllListeners('request');
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isReserved = RESERVED_PATH.test(request.url ?? '');
    const max = MAX_UNDER_WAY + (isReserved ? MAX_RESERVED : 0);
    // Not while Node reads sockets: clients that ask again at once would starve the loop.
    if (underWay.size + queue.length >= max) setImmediate(refuse, request, response);
    else if (queue.push({ request, response }) === 1) setImmediate(beginSome);
  });

  server.server.on('connection', () => {
    hasNewConnection = true;
  });

  function beginSome(): void {
    if (hasNewConnection && acceptTurns < MAX_ACCEPT_TURNS) {
      hasNewConnection = false;
      acceptTurns += 1;
      setImmediate(beginSome);
      return;
    }
    acceptTurns = 0;
    for (const { request, response } of queue.splice(0, MAX_BEGUN_PER_TURN))
      for (const handler of handlers) handler.call(server.server, request, response);
    if (queue.length > 0) setImmediate(beginSome);
  }

  function refuse({ url = '', headers: { accept } }: IncomingMessage, response: ServerResponse) {
    refused += 1;
    const isPage = !/^\/(api|operator)\//.test(url) && accept?.includes('text/html') === true;
    const body = isPage ? REFUSAL_PAGE : REFUSAL_JSON;
    response.writeHead(503, {
      ...headers,
      'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
      'content-length': body.length,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'retry-after': RETRY_AFTER_SECONDS,
      ...(!server.server.listening && { connection: 'close' }),
    });
    response.end(body);
  }

  return { underWay: () => underWay.size, refused: () => refused };
}
