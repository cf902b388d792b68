/**
 * A PostgreSQL that hangs: visitors are told to retry, and the server recovers without a restart.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, test } from 'vitest';
import { isLong } from '../support/test-form.ts';
import { concludeVisits } from './conclude-trials.ts';
import { openHistory } from './history.ts';
import { createMachine, type Machine, untilReady } from './machine.ts';
import { startVisitors, timeReturn, untilJoined } from './visitors.ts';

const TRIALS = isLong ? 5 : 1;
const VISITORS = 16;
/** At least; the outage lasts until a visitor was refused. */
const AWAY_MS = isLong ? 10_000 : 1_000;
const READY_WITHIN_MS = 10_000;

let folder: string;
let machine: Machine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-away-'));
  chmodSync(folder, 0o755);
  machine = await createMachine('postgres', folder);
  await machine.startDatabase();
  await machine.startServer();
});
afterEach(async () => {
  await machine.remove();
  rmSync(folder, { recursive: true });
});

/** Takes the database away and gives it back under visitors that keep retrying. */
async function keepAway(
  fault: string,
  takeAway: () => Promise<() => Promise<void>>,
): Promise<void> {
  const history = openHistory();
  const visitors = startVisitors(machine.url, VISITORS, history);
  const readyMs: number[] = [];
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    await untilJoined(history, VISITORS);
    const refusals = visitors.refusals();
    const giveBack = await takeAway();
    while (visitors.refusals() === refusals) await delay(10);
    const back = await timeReturn(history, async () => {
      await giveBack();
      await untilReady(machine.url);
    });
    readyMs.push(back);
  }
  await concludeVisits({
    machine,
    visitors,
    history,
    fault,
    readyMs,
    readyWithinMs: READY_WITHIN_MS,
  });
}

test('joins go on by themselves after PostgreSQL was frozen', async () => {
  await keepAway('Database stands still for 10 s', async () => {
    machine.freezeDatabase();
    await delay(AWAY_MS);
    return async () => machine.thawDatabase();
  });
});

test.runIf(isLong)(
  'joins go on by themselves after PostgreSQL had no connection left',
  async () => {
    await keepAway('No connection left in the database', async () => {
      const others = await takeAllConnections(machine.databaseUrl ?? '');
      await delay(AWAY_MS / 2);
      return async () => void (await Promise.all(others.map((other) => other.end())));
    });
  },
);

/** Terminates all other connections and takes their places. */
async function takeAllConnections(url: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: url, application_name: 'another' });
    client.on('error', () => {});
    try {
      await client.connect();
      taken.push(client);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === '53300')) throw error;
      const { rows } = await (
        taken[0] as pg.Client
      ).query(`select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and application_name <> 'another'`);
      if (rows.length === 0) return taken;
    }
  }
}
