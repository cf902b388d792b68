/** Preloaded into a server: moves its clock and its database's, so a month passes in minutes. */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { moveClock } from '../../../test/support/moved-clock.ts';

const OFTEN_MS = 60_000;
const { CLOCK_PORT } = process.env;

delete process.env.CLOCK_PORT;
if (isMainThread && CLOCK_PORT !== undefined) openClock(Number(CLOCK_PORT));

function openClock(port: number): void {
  const trueNow = performance.now.bind(performance);
  const trueInterval = globalThis.setInterval;
  const scheduled: (() => void)[] = [];
  let movedByMs = 0;
  performance.now = () => trueNow() + movedByMs;
  globalThis.setInterval = ((run: () => void, everyMs: number) => {
    if (everyMs < OFTEN_MS) return trueInterval(run, everyMs);
    scheduled.push(run);
    return trueInterval(() => {}, everyMs);
  }) as typeof setInterval;
  // The simulation may be silent for long while it reads an export.
  createServer({ keepAliveTimeout: 0 }, ({ url = '' }, answer) => {
    if (url === '/scheduled-work') for (const run of scheduled) run();
    else {
      movedByMs = Number(url.slice(1));
      moveClock(movedByMs);
    }
    answer.end();
  })
    .listen(port, '127.0.0.1')
    .unref();
}
