/**
 * Connections on which somebody was refused. What comes on them is seen before Node parses it, and while there is no room it is
 * answered from its bytes, for half of what a refusal costs otherwise. Connections that were never refused are left as they are.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type RawRequest, readRawRequest } from './raw-request-rules.ts';

export type RawArrival = RawRequest & {
  /** Hands the bytes to Node; unless that has been done, because more came. */
  parse(): void;
  /** Sends an answer to whoever waits for one; false when Node must answer. */
  answer(bytes: Buffer): boolean;
};

export type RefusedConnections = {
  /** Call after each refusal that Node has sent. */
  watch(socket: Socket): void;
  /** Call with each request that Node has parsed. */
  heard(response: ServerResponse): void;
};

/** `onArrival` is told of whole requests that nobody has parsed yet. */
export function openRefusedConnections(onArrival: (arrival: RawArrival) => void): RefusedConnections {
  const watched = new WeakSet<Socket>();
  /** Of the bytes that are being parsed. */
  let responses: ServerResponse[] | null = null;

  function watch(socket: Socket): void {
    const listeners = socket.listeners('data');
    const [parse] = listeners;
    if (watched.has(socket) || parse === undefined || listeners.length > 1) return;
    watched.add(socket);
    let isBetweenRequests = false;
    let waiting: Buffer | null = null;
    let passed = 0;

    // Node says nothing of where in a request its parser stands. It stands between two when the last bytes were one request, it read
    // just that, and the answer is sent.
    function pass(bytes: Buffer, isOneRequest: boolean): void {
      // Node gives the parser of a connection that has ended to another one.
      if (socket.destroyed || socket.readableEnded) return;
      isBetweenRequests = false;
      passed += 1;
      const turn = passed;
      responses = [];
      parse?.call(socket, bytes);
      const [response, another] = responses;
      responses = null;
      if (!response?.req.complete || another !== undefined || !isOneRequest) return;
      response.once('finish', () => {
        isBetweenRequests = turn === passed;
      });
    }

    function passWaiting(): boolean {
      if (waiting === null) return false;
      const bytes = waiting;
      waiting = null;
      pass(bytes, true);
      return true;
    }

    function answer(bytes: Buffer): boolean {
      if (waiting === null || !socket.writable) return true;
      // Who does not read must not be answered without end.
      if (socket.writableLength > 0) return false;
      waiting = null;
      isBetweenRequests = true;
      socket.write(bytes);
      return true;
    }

    socket.on('data', (bytes: Buffer) => {
      passWaiting();
      const request = readRawRequest(bytes);
      if (request === null || !isBetweenRequests) {
        pass(bytes, request !== null);
        return;
      }
      isBetweenRequests = false;
      waiting = bytes;
      onArrival({ url: request.url, wantsPage: request.wantsPage, parse: passWaiting, answer });
    });
    socket.off('data', parse as (bytes: Buffer) => void);
  }

  return {
    watch,
    heard(response) {
      responses?.push(response);
    },
  };
}
