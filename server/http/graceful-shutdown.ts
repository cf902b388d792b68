import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { HttpServer } from './http-server.ts';

const GRACE_MS = 7_000;
/** Requests on open connections are answered as long as this after the signal, then refused. */
const SERVED_MS = 5_000;
const MAX_BACKLOG = 4096;
const POLL_MS = 25;
/** Polls without a request count instead of time, because a blocked event loop reads none. */
const QUIET_POLLS = 20;

/** Event of the server at the start of shutdown, when endless answers must end. */
export const SHUTTING_DOWN = 'shuttingDown';

/** Node would reset a join that was just sent. Here only silent connections are cut. */
export function addGracefulShutdown(server: HttpServer): void {
  let underWay = 0;
  let quietPolls = 0;
  let drained: Promise<void> | null = null;
  let servedUntil = 0;

  server.addHook('onRequest', (_request, reply, done) => {
    underWay += 1;
    quietPolls = 0;
    reply.raw.once('close', () => {
      underWay -= 1;
    });
    if (drained === null) return done();
    const detail = 'The server is restarting. Please try again in a moment.';
    const problem = new Problem('unavailable', detail, { retryAfterSeconds: 5 });
    // An earlier answer would make clients reconnect, and the backlog would never empty.
    drained.then(() => (performance.now() < servedUntil ? done() : done(problem)));
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (drained !== null) reply.header('connection', 'close');
    done();
  });
  server.addHook('preClose', async () => {
    const deadline = performance.now() + GRACE_MS;
    servedUntil = performance.now() + SERVED_MS;
    server.server.emit(SHUTTING_DOWN);
    drained = drainBacklog(server);
    await drained;
    // `server.close` of an HTTP server would cut idle connections too.
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

/** Closing the listener would reset connections in the backlog of the system. */
async function drainBacklog({ server }: HttpServer): Promise<void> {
  let hasAccepted = true;
  const onConnection = () => {
    hasAccepted = true;
  };
  server.on('connection', onConnection);
  for (let accepted = 0; hasAccepted && accepted < MAX_BACKLOG; accepted += 1) {
    hasAccepted = false;
    // The first iteration only ends the current one.
    for (let round = 0; round < 2; round += 1)
      await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', onConnection);
}

function countConnections({ server }: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
