/** How a server stops: it takes no new connection, answers on those it has, and closes each with its last answer. */
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { HttpServer } from './http-server.ts';

/** How long requests under way are waited for. */
const GRACE_MS = 8_000;
const MOST_KNOCKING = 4096;
const LOOK_MS = 25;
/**
 * After so many looks at which nothing was asked for, what is still connected is idle: closing it meets no request half-way, or next to
 * none. Looks, not time: after a long turn of the event loop much may have been asked that is not read yet.
 */
const QUIET_LOOKS = 20;

/**
 * Node's own close cuts idle connections at once, and with them what a visitor has just sent on one: a reset instead of an answer, of
 * a join that may not be repeated blindly. So first the door is closed, and nothing else; every answer from then on says that its
 * connection ends, and only connections that stay silent are cut.
 */
export function stopGently(server: HttpServer): void {
  let underWay = 0;
  let quietLooks = 0;
  let isStopping = false;

  server.addHook('onRequest', (_request, reply, done) => {
    underWay += 1;
    quietLooks = 0;
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
    await letInWhoHasKnocked(server);
    NetServer.prototype.close.call(server.server);
    quietLooks = 0;
    while (quietLooks < QUIET_LOOKS && performance.now() - began < GRACE_MS && (await countConnections(server)) > 0) {
      await delay(LOOK_MS);
      quietLooks = underWay > 0 ? 0 : quietLooks + 1;
    }
    server.server.closeAllConnections();
  });
}

/** Connections that the system has taken and Node has not, one a turn, are reset when it no longer listens. */
async function letInWhoHasKnocked({ server }: HttpServer): Promise<void> {
  let isComing = true;
  const come = () => {
    isComing = true;
  };
  server.on('connection', come);
  for (let turn = 0; isComing && turn < MOST_KNOCKING; turn += 1) {
    isComing = false;
    // The first ends the turn that is under way.
    for (let end = 0; end < 2; end += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', come);
}

function countConnections({ server }: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
