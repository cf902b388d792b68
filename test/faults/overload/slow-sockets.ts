/** Sockets that send a byte now and then, and never a whole request. */
import { connect, type Socket } from 'node:net';

/** As long as it does not end, the server must wait for more. */
const BEGIN = {
  header: 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
  body: 'POST /api/waitlist/join HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
};

type SlowPart = keyof typeof BEGIN;

export type SlowSockets = {
  /** After how long each that was cut off was, and what it was told. */
  readonly cuts: readonly { readonly part: SlowPart; readonly afterMs: number; readonly answer: string }[];
  stop(): void;
};

type Crowd = {
  readonly port: number;
  /** Of each part. */
  readonly count: number;
  /** All have come by then. */
  readonly withinMs: number;
  /** One byte as often on each. */
  readonly everyMs: number;
};

/** A new one comes for each that is cut off. */
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
    socket.on('error', () => {}); // A byte may cross with the cut.
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
