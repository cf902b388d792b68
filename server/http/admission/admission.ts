/** The door: lets in as many requests as can be served soon, and tells everybody else at once to come again. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpServer } from '../http-server.ts';
import type { SecurityHeaders } from '../security-headers.ts';
import { isAdmitted } from './admission-rules.ts';
import { openRefusal } from './refusals.ts';

export type Admission = {
  /** Requests that are being worked on. */
  underWay(): number;
  /** Requests refused since the start. */
  refused(): number;
};

const REFUSAL = { detail: 'Too many people are here at once. Please try again in a moment.', retryAfterSeconds: 2 };

type Arrival = readonly [IncomingMessage, ServerResponse];

/**
 * A turn holds a batch of joins and so many refusals at most: else most of it would go to refusing when thousands ask. Who is heard later
 * may find room by then.
 */
const MOST_REFUSED_A_TURN = 512;

/** So many turns are waited for new connections, at most: some 50 ms. */
const MOST_TURNS = 1024;

/** Call before the first route. Requests that do not come by a socket are not asked for. */
export function addAdmission(server: HttpServer, standing: SecurityHeaders): Admission {
  const refuse = openRefusal(REFUSAL, standing);
  const underWay = new Set<FastifyRequest>();
  let refused = 0;

  // Under way is what the server works on: not a body that is still arriving, nor an answer that is still being sent. Either can
  // take a slow visitor minutes and costs the others nothing.
  server.addHook('preValidation', (request, _reply, done) => {
    underWay.add(request);
    done();
  });
  server.addHook('onSend', (request, _reply, _payload, done) => {
    underWay.delete(request);
    done();
  });

  // In front of Fastify, whose own way to an answer costs several times as much.
  const handlers = server.server.listeners('request');
  server.server.removeAllListeners('request');
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (arrived.push([request, response]) === 1) setImmediate(endTurn);
  });
  server.server.on('connection', () => {
    hasNewConnection = true;
  });

  // First everybody is heard, then anything is done, because Node takes one new connection a turn of its event loop: were each turn as
  // long as a batch of joins, a crowd would wait outside for seconds, unseen. And who is answered while sockets are still being
  // read asks again, so that with a thousand of them the reading would not end, and no timer and no batch would ever have its turn.
  const arrived: Arrival[] = [];
  let hasNewConnection = false;
  let turns = 0;

  function endTurn(): void {
    if (hasNewConnection && turns < MOST_TURNS) {
      hasNewConnection = false;
      turns += 1;
      setImmediate(endTurn);
      return;
    }
    turns = 0;
    let left = MOST_REFUSED_A_TURN;
    let heard = 0;
    for (; heard < arrived.length && left > 0; heard += 1) {
      const [request, response] = arrived[heard] as Arrival;
      if (hasRoomFor(request)) admit(request, response);
      else {
        turnAway(request, response);
        left -= 1;
      }
    }
    arrived.splice(0, heard);
    if (arrived.length > 0) setImmediate(endTurn);
  }

  function hasRoomFor({ url = '' }: IncomingMessage): boolean {
    return isAdmitted({ underWay: underWay.size, url });
  }

  function admit(request: IncomingMessage, response: ServerResponse): void {
    for (const handle of handlers) handle.call(server.server, request, response);
  }

  function turnAway(request: IncomingMessage, response: ServerResponse): void {
    refused += 1;
    if (!server.server.listening) response.setHeader('connection', 'close');
    refuse(request, response);
  }
  return { underWay: () => underWay.size, refused: () => refused };
}
