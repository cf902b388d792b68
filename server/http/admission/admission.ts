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

/** More are let in at the end of the turn, if there is room. */
const MOST_A_TURN = 1024;

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
    if (turn.asked === 0) setImmediate(endTurn);
    turn.asked += 1;
    if (turn.asked <= MOST_A_TURN && hasRoomFor(request)) admit(request, response);
    else turn.held.push([request, response]);
  });

  // One turn of the event loop. Who is answered at once asks again at once: with a thousand of them the sockets that can be read would
  // never all have been read, and meanwhile Node runs neither a timer nor a batch of joins. So the rest of a turn waits for its end.
  const turn = { asked: 0, held: [] as [IncomingMessage, ServerResponse][] };

  function endTurn(): void {
    turn.asked = 0;
    for (const [request, response] of turn.held.splice(0)) {
      if (hasRoomFor(request)) admit(request, response);
      else turnAway(request, response);
    }
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
