/** How a server stops: it takes no new connection, answers on those it has, and closes each with its last answer. */
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { HttpServer } from './http-server.ts';

/** How long requests under way are waited for. */
const GRACE_MS = 8_000;
/** A connection on which nothing was asked for so long is idle: closing it meets no request half-way, or next to none. */
const QUIET_MS = 500;
const LOOK_MS = 25;

/**
 * Node's own close cuts idle connections at once, and with them what a visitor has just sent on one: a reset instead of an answer, of
 * a join that may not be repeated blindly. So first the door is closed and nothing else; every answer from then on says that its
 * connection ends, and only connections that stay silent are cut.
 */
export function stopGently(server: HttpServer): void {
  let underWay = 0;
  let lastAskedAt = 0;
  let isStopping = false;

  server.addHook('onRequest', (_request, reply, done) => {
    underWay += 1;
    lastAskedAt = performance.now();
    reply.raw.once('close', () => {
      underWay -= 1;
    });
    const detail = 'The server is restarting. Please try again in a moment.';
    done(isStopping ? new Problem('unavailable', detail, { retryAfterSeconds: 5 }) : undefined);
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done();
  });
  server.addHook('preClose', async () => {
    isStopping = true;
    const began = performance.now();
    NetServer.prototype.close.call(server.server);
    const isQuiet = () => underWay === 0 && performance.now() - Math.max(lastAskedAt, began) > QUIET_MS;
    while (performance.now() - began < GRACE_MS && !isQuiet() && (await countConnections(server)) > 0)
      await delay(LOOK_MS);
    server.server.closeAllConnections();
  });
}

function countConnections({ server }: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
