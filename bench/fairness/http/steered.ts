/** Preloaded into a server, which is then steered: its clock and its database's, and its Stripe. */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { moveClock } from '../../../test/support/moved-clock.ts';
import { openStripe } from '../../../test/support/stripe-at-hand.ts';

export type Bank = { readonly holds: number; readonly captured: number };

const OFTEN_MS = 60_000;
const { STEERING_PORT } = process.env;

delete process.env.STEERING_PORT;
if (isMainThread && STEERING_PORT !== undefined) openSteering(Number(STEERING_PORT));

function openSteering(port: number): void {
  const trueNow = performance.now.bind(performance);
  const trueInterval = globalThis.setInterval;
  const scheduled: (() => void)[] = [];
  const { fake, notify } = openStripe();
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
    else if (pathname === '/pay') {
      const link = searchParams.get('link') ?? '';
      const fingerprint = searchParams.get('card') ?? '';
      const funding = fingerprint.startsWith('prepaid') ? 'prepaid' : 'credit';
      fake.pay(link, 'plain', { fingerprint, funding });
      await notify(`http://127.0.0.1:${process.env.PORT}`, link);
    } else if (pathname !== '/bank') {
      movedByMs = Number(pathname.slice(1));
      moveClock(movedByMs);
    }
    const bank: Bank = { holds: fake.holds().length, captured: fake.payments().length };
    answer.end(JSON.stringify(bank));
  })
    .listen(port, '127.0.0.1')
    .unref();
}
