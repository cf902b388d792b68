/**
 * Preloaded into a server: takes the orders of the bench, and notes which statements of the
 * embedded engine hold up everybody, and what they spend their time on.
 */
import fs from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import type { Order, SlowStatement } from './stall-orders.ts';

const NOTED_FROM_MS = 20;

// The server's own child processes are not watched.
delete process.env.NODE_OPTIONS;

const spent = { readMs: 0, writeMs: 0, syncMs: 0, syncs: 0 };
for (const [name, figure] of [
  ['readSync', 'readMs'],
  ['writeSync', 'writeMs'],
  ['fsyncSync', 'syncMs'],
] as const) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      const beganAt = performance.now();
      const result = original(...args);
      spent[figure] += performance.now() - beganAt;
      if (name === 'fsyncSync') spent.syncs += 1;
      return result;
    },
  });
}
syncBuiltinESMExports();

let engine: PGlite | undefined;
let statement = '';
let slow: SlowStatement[] = [];
const { execProtocolRawSync } = PGlite.prototype;
PGlite.prototype.execProtocolRawSync = function (message) {
  engine = this;
  statement = readStatement(message) ?? statement;
  const before = { ...spent };
  const beganAt = performance.now();
  try {
    return execProtocolRawSync.call(this, message);
  } finally {
    const ms = performance.now() - beganAt;
    if (ms >= NOTED_FROM_MS)
      slow.push({
        statement,
        ms,
        readMs: spent.readMs - before.readMs,
        writeMs: spent.writeMs - before.writeMs,
        syncMs: spent.syncMs - before.syncMs,
        syncs: spent.syncs - before.syncs,
      });
  }
};

/** The SQL of PostgreSQL's Parse and Query messages; null for all others. */
function readStatement(message: Uint8Array): string | null {
  const [type, ...parts] = Buffer.from(message).toString('latin1').split('\0');
  if (!type?.startsWith('P') && !type?.startsWith('Q')) return null;
  return (parts.find((part) => part.length > 8) ?? '').replace(/\s+/g, ' ').trim().slice(0, 70);
}

/** Makes work due in an hour due now, for everything that uses the monotonic clock. */
let aheadMs = 0;
const { now } = performance;
performance.now = () => now.call(performance) + aheadMs;

createServer(async (request, response) => {
  const order = JSON.parse(await text(request)) as Order;
  aheadMs += order.advanceMs ?? 0;
  if (order.sql !== undefined) await engine?.exec(order.sql);
  response.end(JSON.stringify(slow));
  slow = [];
})
  .listen(Number(process.env.BENCH_ORDERS_PORT), '127.0.0.1')
  .unref();
