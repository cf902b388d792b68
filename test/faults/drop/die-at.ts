/**
 * Preloaded into a server: kills it at a moment that a test orders. Counted are its statements from
 * the first one that contains `from`, and the end of each commit; it dies before the one with the
 * ordered number. Offers are made only while `sweeps` is ordered, at once, and so is all other work
 * of the same interval.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { OFFERS_EVERY_MS } from '../../../server/drop/steps/sweep-offers.ts';

/** `at` 0: never. */
export type Death = { readonly from: string; readonly at: number; readonly sweeps: boolean };

const QUICK_MS = 200;

let death: Death | null = null;
let moments = 0;

const { DIE_AT_PORT } = process.env;
// The server's own child processes live on.
delete process.env.NODE_OPTIONS;
createServer(async (request, response) => {
  death = JSON.parse(await text(request)) as Death;
  moments = 0;
  response.end();
})
  .listen(Number(DIE_AT_PORT), '127.0.0.1')
  .unref();

function passMoment(): void {
  moments += 1;
  if (moments === death?.at) process.kill(process.pid, 'SIGKILL');
}

function begin(statement: string): void {
  if (death !== null && (moments > 0 || statement.includes(death.from))) passMoment();
}

function end(statement: string): void {
  if (moments > 0 && COMMIT.test(statement)) passMoment();
}

/** Alone, or after the head of a message to PostgreSQL. */
const COMMIT = /^(?:[PQ][\s\S]{4}\0?)?commit/i;

const { execProtocolRawSync } = PGlite.prototype;
PGlite.prototype.execProtocolRawSync = function (message) {
  const [type] = message;
  const isStatement = type === 'P'.charCodeAt(0) || type === 'Q'.charCodeAt(0);
  const statement = isStatement ? Buffer.from(message).toString('latin1') : '';
  if (isStatement) begin(statement);
  const answer = execProtocolRawSync.call(this, message);
  end(statement);
  return answer;
};

type Query = (this: unknown, ...args: unknown[]) => unknown;
const query = Reflect.get(pg.Client.prototype, 'query') as Query;
Reflect.set(pg.Client.prototype, 'query', function (this: unknown, ...args: unknown[]) {
  const [first] = args;
  const statement = String(typeof first === 'string' ? first : (first as pg.QueryConfig).text);
  begin(statement);
  const result = query.apply(this, args);
  if (result instanceof Promise)
    void result.then(
      () => end(statement),
      () => {},
    );
  return result;
});

const { setInterval: repeat } = globalThis;
globalThis.setInterval = ((work: () => void, everyMs: number) => {
  if (everyMs !== OFFERS_EVERY_MS) return repeat(work, everyMs);
  return repeat(() => death?.sweeps && work(), QUICK_MS);
}) as typeof setInterval;
