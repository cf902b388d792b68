/** The door: lets in as many requests as can be served soon, and tells everybody else at once to come again. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServer } from '../http-server.ts';
import type { SecurityHeaders } from '../security-headers.ts';
import { isAdmitted } from './admission-rules.ts';
import { openRefusals } from './refusals.ts';
import { openRefusedConnections, type RawArrival } from './refused-connections.ts';

declare module 'fastify' {
  interface FastifyRequest {
    isUnderWay: boolean;
  }
}

export type Admission = {
  /** Requests that are being worked on. */
  underWay(): number;
  /** Requests refused since the start. */
  refused(): number;
};

const REFUSAL = { detail: 'Too many people are here at once. Please try again in a moment.', retryAfterSeconds: 2 };

type NodeArrival = { readonly url: string; readonly request: IncomingMessage; readonly response: ServerResponse };
type Arrival = NodeArrival | RawArrival;

/**
 * So many begin in a turn of the event loop while others are refused: a turn in which a thousand began would be as long as a fifth of a
 * second, and everybody who is to be refused would wait for it.
 */
const BEGUN_A_TURN = 128;
/** More begin when more are refused than that: else a turn would be spent on refusals alone when thousands ask. */
const TURNED_AWAY_FOR_ONE_BEGUN = 10;

/** So many turns are waited for new connections, at most: some 50 ms. */
const MOST_TURNS = 1024;

/** Call before the first route. Requests that do not come by a socket are not asked for. */
export function addAdmission(server: HttpServer, standing: SecurityHeaders): Admission {
  const refusals = openRefusals(REFUSAL, standing);
  const connections = openRefusedConnections(arrive);
  let underWay = 0;
  let refused = 0;

  // Under way is what the server works on: not a body that is still arriving, nor an answer that is still being sent. Either can
  // take a slow visitor minutes and costs the others nothing.
  server.decorateRequest('isUnderWay', false);
  server.addHook('preValidation', (request, _reply, done) => {
    request.isUnderWay = true;
    underWay += 1;
    done();
  });
  server.addHook('onSend', (request, _reply, _payload, done) => {
    if (request.isUnderWay) underWay -= 1;
    request.isUnderWay = false;
    done();
  });

  // In front of Fastify, whose own way to an answer costs several times as much.
  const handlers = server.server.listeners('request');
  server.server.removeAllListeners('request');
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    connections.heard(response);
    if (isLettingIn) handle(request, response);
    else arrive({ url: request.url ?? '', request, response });
  });
  server.server.on('connection', () => {
    hasNewConnection = true;
  });

  // First everybody is heard, then anything is done, because Node takes one new connection a turn of its event loop: were each turn as
  // long as a batch of joins, a crowd would wait outside for seconds, unseen. And who is answered while sockets are still being
  // read asks again, so that with a thousand of them the reading would not end, and no timer and no batch would ever have its turn.
  let arrived: Arrival[] = [];
  let letIn: Arrival[] = [];
  let isLettingIn = false;
  let isTurnEnding = false;
  let hasNewConnection = false;
  let turns = 0;

  function arrive(arrival: Arrival): void {
    arrived.push(arrival);
    endTurnSoon();
  }

  function endTurnSoon(): void {
    if (!isTurnEnding) setImmediate(endTurn);
    isTurnEnding = true;
  }

  function endTurn(): void {
    isTurnEnding = false;
    if (hasNewConnection && turns < MOST_TURNS) {
      hasNewConnection = false;
      turns += 1;
      endTurnSoon();
      return;
    }
    turns = 0;
    const heard = arrived;
    arrived = [];
    let turnedAway = 0;
    for (const arrival of heard) {
      if (isAdmitted({ underWay: underWay + letIn.length, url: arrival.url })) letIn.push(arrival);
      else {
        turnAway(arrival);
        turnedAway += 1;
      }
    }
    const most = Math.max(BEGUN_A_TURN, turnedAway / TURNED_AWAY_FOR_ONE_BEGUN);
    const now = letIn;
    letIn = turnedAway === 0 ? [] : now.splice(most);
    for (const arrival of now) begin(arrival);
    if (letIn.length > 0) endTurnSoon();
  }

  function begin(arrival: Arrival): void {
    if ('request' in arrival) {
      handle(arrival.request, arrival.response);
      return;
    }
    isLettingIn = true;
    arrival.parse();
    isLettingIn = false;
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    for (const handler of handlers) handler.call(server.server, request, response);
  }

  function turnAway(arrival: Arrival): void {
    if ('request' in arrival) turnAwayByNode(arrival);
    else if (server.server.listening && arrival.answer(refusals.bytesFor(arrival))) refused += 1;
    else arrival.parse();
  }

  function turnAwayByNode({ request, response }: NodeArrival): void {
    refused += 1;
    if (!server.server.listening) response.setHeader('connection', 'close');
    refusals.send(request, response);
    connections.watch(request.socket);
  }
  return { underWay: () => underWay, refused: () => refused };
}
