/** Preloaded into a server, which is then steered: its clock and its database's, and its Stripe. */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { moveClock } from '../../../test/support/moved-clock.ts';
import { openBank } from './fake-bank.ts';

const OFTEN_MS = 60_000;
const { STEERING_PORT } = process.env;

delete process.env.STEERING_PORT;
if (isMainThread && STEERING_PORT !== undefined) openSteering(Number(STEERING_PORT));

function openSteering(port: number): void {
  const trueNow = performance.now.bind(performance);
  const trueInterval = globalThis.setInterval;
  const scheduled: (() => void)[] = [];
  const bank = openBank();
  let movedByMs = 0;
  performance.now = () => trueNow() + movedByMs;
  globalThis.setInterval = ((run: () => void, everyMs: number) => {
    if (everyMs < OFTEN_MS) return trueInterval(run, everyMs);
    scheduled.push(run);
    return trueInterval(() => {}, everyMs);
  }) as typeof setInterval;

  // The simulation may be silent for long while it reads an export.
  createServer({ keepAliveTimeout: 0 }, async ({ url = '' }, answer) => {
    const { pathname, searchParams } = new URL(url, 'http://server');
    if (pathname === '/scheduled-work') for (const run of scheduled) run();
    else if (pathname === '/pay')
      await bank.pay(searchParams.get('link') ?? '', searchParams.get('card') ?? '');
    else if (pathname !== '/bank') {
      movedByMs = Number(pathname.slice(1));
      moveClock(movedByMs);
    }
    answer.end(JSON.stringify(bank.read()));
  })
    .listen(port, '127.0.0.1')
    .unref();
}
