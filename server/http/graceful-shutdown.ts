/** Graceful shutdown: stop accepting, answer what was accepted, then close each connection. */
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { HttpServer } from './http-server.ts';

/** How long requests under way may take to finish. */
const GRACE_MS = 8_000;
const MAX_BACKLOG = 4096;
const POLL_MS = 25;
/**
 * Remaining connections count as idle after this many polls without a request. Polls, not time:
 * a long turn of the event loop leaves requests unread.
 */
const QUIET_POLLS = 20;

/** Emitted by Node's server as shutdown begins: answers that would never end must end now. */
export const SHUTTING_DOWN = 'shuttingDown';

/**
 * Node's own close cuts idle connections at once, and resets a join that was just sent on one.
 * Here every answer says `Connection: close` first, and only silent connections are cut.
 */
export function addGracefulShutdown(server: HttpServer): void {
  let underWay = 0;
  let quietPolls = 0;
  /** Set once shutdown has begun. */
  let drained: Promise<void> | null = null;

  server.addHook('onRequest', (_request, reply, done) => {
    underWay += 1;
    quietPolls = 0;
    reply.raw.once('close', () => {
      underWay -= 1;
    });
    if (drained === null) return done();
    const detail = 'The server is restarting. Please try again in a moment.';
    const problem = new Problem('unavailable', detail, { retryAfterSeconds: 5 });
    // Refused sooner, clients would connect again, and the backlog would never empty.
    drained.then(() => done(problem));
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (drained !== null) reply.header('connection', 'close');
    done();
  });
  server.addHook('preClose', async () => {
    const deadline = performance.now() + GRACE_MS;
    server.server.emit(SHUTTING_DOWN);
    drained = drainBacklog(server);
    await drained;
    // Fastify's `server.close` is Node's HTTP one, which also cuts idle connections.
    NetServer.prototype.close.call(server.server);
    quietPolls = 0;
    while (
      quietPolls < QUIET_POLLS &&
      performance.now() < deadline &&
      (await countConnections(server)) > 0
    ) {
      await delay(POLL_MS);
      quietPolls = underWay > 0 ? 0 : quietPolls + 1;
    }
    server.server.closeAllConnections();
  });
}

/**
 * Takes the connections that the system has accepted and Node has not, one per turn of its loop:
 * they would be reset when it stops listening.
 */
async function drainBacklog({ server }: HttpServer): Promise<void> {
  let hasAccepted = true;
  const onConnection = () => {
    hasAccepted = true;
  };
  server.on('connection', onConnection);
  for (let accepted = 0; hasAccepted && accepted < MAX_BACKLOG; accepted += 1) {
    hasAccepted = false;
    // The first one only ends the current turn.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', onConnection);
}

function countConnections({ server }: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
