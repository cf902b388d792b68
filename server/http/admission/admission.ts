/** Load shedding: requests beyond the bounds wait, or are refused before Fastify sees them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config.ts';
import { HUNG_UP } from '../errors.ts';
import type { HttpServer } from '../http-server.ts';
import { openHangUpLog } from '../request-log.ts';
import type { SecurityHeaders } from '../security-headers.ts';
import { addressOf, openClientKeys } from './client-address.ts';
import { limitConnections, MAX_CONNECTIONS, type Peer } from './connections.ts';
import { openFairShares, openRequestWindow } from './fair-shares.ts';
import { FULL, type Refusal, sendRefusal, tooManyFromHere } from './refusals.ts';

export type Admission = ReturnType<typeof addAdmission>;

type AdmissionOptions = {
  readonly config: Pick<Config, 'trustProxy' | 'isLimiting'>;
  readonly headers: SecurityHeaders;
  readonly maxConnections?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
};

/** A Set or WeakMap would keep requests alive until the next major collection. */
const IS_UNDER_WAY = Symbol('is under way');
const LEAVE = Symbol('leave');
type Admitted = IncomingMessage & { [IS_UNDER_WAY]?: boolean; [LEAVE]?: (() => void) | null };

type Arrival = {
  readonly request: Admitted;
  readonly response: ServerResponse;
  isSettled: boolean;
  isOver: boolean;
};

/** A small machine answers this many within a second. A thousand visitors at once get in. */
const MAX_UNDER_WAY = 1024;
/** Extra room for health checks and the operator: a busy server must not look dead. */
const MAX_RESERVED = 64;
const RESERVED_PATH = /^\/(?:(?:healthz|readyz|metrics)(?:\?|$)|operator\/)/;

/** The embedded database works on this thread: the loop must read and refuse others in between. */
const MAX_BEGUN_AT_ONCE = 128;
/** Node accepts one connection per iteration, and lets a crowd in before more work begins. */
const MAX_ACCEPT_ROUNDS = 1024;

/** The delay keeps clients that repeat at once from taking the thread. */
const LIMITED_ANSWER_DELAY_MS = 1_000;
/** Only clients that send without waiting for answers exceed one per connection. */
const MAX_DELAYED = MAX_CONNECTIONS;
const RETRY_AFTER_SECONDS = 2;

/** Call before the first route. Requests that are injected without a socket are not refused. */
export function addAdmission(
  server: HttpServer,
  { config, headers, maxConnections = MAX_CONNECTIONS, now }: AdmissionOptions,
) {
  const { isProxy, keyOf } = openClientKeys(config);
  const requestWindow = openRequestWindow(now);
  const shares = openFairShares<Arrival>();
  const hangUps = openHangUpLog(server.log);
  let underWay = 0;
  const queue: Arrival[] = [];
  const counts = { refused: 0, limited: 0, delayed: 0 };
  let hasNewConnection = false;
  let acceptRounds = 0;

  // From the last byte of the body to the first byte of the answer: slow clients hold no slot.
  server.addHook('preValidation', ({ raw }: { raw: Admitted }, _reply, done) => {
    if (raw.socket.destroyed) return done(HUNG_UP);
    raw[IS_UNDER_WAY] = true;
    underWay += 1;
    done();
  });
  server.addHook('onSend', ({ raw }: { raw: Admitted }, _reply, _payload, done) => {
    if (raw[IS_UNDER_WAY]) underWay -= 1;
    raw[IS_UNDER_WAY] = false;
    leave(raw);
    done();
  });
  server.addHook('onRequestAbort', (_request, done) => {
    hangUps.count();
    done();
  });

  const connections = limitConnections(server.server, {
    identify: (address) =>
      isProxy(address) ? { isProxy: true, key: null } : { isProxy: false, key: keyOf(address) },
    count: requestWindow.count,
    onAccept() {
      hasNewConnection = true;
    },
    onRefuse: countRefusal,
    maxConnections,
  });

  const handlers = server.server.listeners('request');
  server.server.removeAllListeners('request');
  server.server.on('request', (request: Admitted, response: ServerResponse) => {
    const arrival: Arrival = { request, response, isSettled: false, isOver: false };
    const peer = connections.follow(request.socket, response, () => {
      arrival.isOver = true;
      if (!arrival.isSettled) hangUps.count();
      // Hanging up must not make room for more while the work goes on.
      if (!request[IS_UNDER_WAY]) leave(request);
    });
    if (peer === null) return;
    const key = peer.isProxy ? keyOf(addressOf(request, isProxy)) : peer.key;
    if (key === null) return admit(arrival);

    const seconds = requestWindow.count(key);
    const entry = seconds > 0 ? 'refused' : shares.enter(key, arrival);
    if (entry === 'refused')
      return refuseLimited(arrival, tooManyFromHere(seconds || RETRY_AFTER_SECONDS), peer);
    request[LEAVE] = () => {
      const next = shares.leave(key, arrival);
      if (next !== null) admit(next);
    };
    if (entry === 'begins') admit(arrival);
  });

  function leave(request: Admitted): void {
    const end = request[LEAVE];
    request[LEAVE] = null;
    end?.();
  }

  function admit(arrival: Arrival): void {
    const isReserved = RESERVED_PATH.test(arrival.request.url ?? '');
    const max = MAX_UNDER_WAY + (isReserved ? MAX_RESERVED : 0);
    // Refused while Node reads sockets, clients that repeat at once would starve the loop.
    if (underWay + queue.length >= max) setImmediate(refuse, arrival, FULL);
    else if (queue.push(arrival) === 1) setImmediate(beginSome);
  }

  function beginSome(): void {
    if (hasNewConnection && acceptRounds < MAX_ACCEPT_ROUNDS) {
      hasNewConnection = false;
      acceptRounds += 1;
      setImmediate(beginSome);
      return;
    }
    acceptRounds = 0;
    for (const arrival of queue.splice(0, MAX_BEGUN_AT_ONCE)) {
      if (arrival.isOver) continue;
      arrival.isSettled = true;
      for (const handler of handlers)
        handler.call(server.server, arrival.request, arrival.response);
    }
    if (queue.length > 0) setImmediate(beginSome);
  }

  function refuse(arrival: Arrival, refusal: Refusal): void {
    countRefusal(refusal);
    if (arrival.isOver) return;
    arrival.isSettled = true;
    const isClosing = !server.server.listening;
    sendRefusal(arrival.request, arrival.response, refusal, { standing: headers, isClosing });
  }

  /** Behind a proxy a late answer would keep a connection from other visitors. */
  function refuseLimited(arrival: Arrival, refusal: Refusal, peer: Peer): void {
    if (peer.isProxy) {
      setImmediate(refuse, arrival, refusal);
    } else if (counts.delayed >= MAX_DELAYED) {
      countRefusal(refusal);
      arrival.request.socket.destroy();
    } else {
      counts.delayed += 1;
      setTimeout(() => {
        counts.delayed -= 1;
        refuse(arrival, refusal);
      }, LIMITED_ANSWER_DELAY_MS).unref();
    }
  }

  function countRefusal({ status }: Refusal): void {
    if (status === FULL.status) counts.refused += 1;
    else counts.limited += 1;
  }

  return {
    underWay: () => underWay,
    refused: () => counts.refused,
    limited: () => counts.limited,
  };
}
