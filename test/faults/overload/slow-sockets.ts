/** Sockets that send a byte now and then, and never a complete request. */
import { connect, type Socket } from 'node:net';

/** Incomplete requests, to be continued byte by byte. */
const BEGIN = {
  header: 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
  body:
    'POST /api/waitlist/join HTTP/1.1\r\nHost: a\r\n' +
    'Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
};

type SlowPart = keyof typeof BEGIN;

export type SlowSockets = {
  /** Every socket that was cut: after how long, and with which answer. */
  readonly cuts: readonly {
    readonly part: SlowPart;
    readonly afterMs: number;
    readonly answer: string;
  }[];
  stop(): void;
};

type Crowd = {
  readonly port: number;
  /** Sockets per part. */
  readonly count: number;
  /** The time in which all connect. */
  readonly withinMs: number;
  /** The interval between two bytes of a socket. */
  readonly everyMs: number;
};

/** Replaces each socket that is cut. */
export function openSlowSockets({ port, count, withinMs, everyMs }: Crowd): SlowSockets {
  const cuts: { part: SlowPart; afterMs: number; answer: string }[] = [];
  const sockets = new Set<Socket>();
  let isStopping = false;

  function open(part: SlowPart): void {
    const socket = connect({ port, host: '127.0.0.1' });
    const beganAt = performance.now();
    let answer = '';
    sockets.add(socket);
    socket.write(BEGIN[part]);
    const dribble = setInterval(() => socket.writable && socket.write(' '), everyMs);
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {}); // A write may race the close.
    socket.on('close', () => {
      clearInterval(dribble);
      sockets.delete(socket);
      if (isStopping) return;
      cuts.push({ part, afterMs: performance.now() - beganAt, answer });
      open(part);
    });
  }

  const arrivals = Array.from({ length: count }, (_, index) =>
    setTimeout(
      () => {
        open('header');
        open('body');
      },
      (index / count) * withinMs,
    ),
  );
  return {
    cuts,
    stop() {
      isStopping = true;
      for (const arrival of arrivals) clearTimeout(arrival);
      for (const socket of sockets) socket.destroy();
    },
  };
}
