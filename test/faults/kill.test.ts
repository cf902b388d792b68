/** Server and database are killed, stand still or have no connection left, under visitors. */

import { chmodSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { drawFromSeed } from '../support/draw-from-seed.ts';
import { defaultEngine, type Engine } from '../support/engines.ts';
import { provideFolder } from '../support/provide-folder.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { concludeVisits } from './conclude-trials.ts';
import { type History, openHistory } from './history.ts';
import { createMachine, type Machine, untilReady } from './machine.ts';
import { startVisitors, timeReturn, untilJoined, type Visitors } from './visitors.ts';

const SERVER_KILLS = isLong ? 50 : 1;
const DATABASE_KILLS = 20;
const OUTAGES = isLong ? 5 : 1;
const VISITORS = 16;
/** At least; the outage lasts until a visitor was refused. */
const AWAY_MS = isLong ? 10_000 : 1_000;
/** Generous, because the machine may be busy. */
const READY_AFTER_KILL_MS = 20_000;
const READY_AFTER_OUTAGE_MS = 10_000;

const pathOf = provideFolder();
let machine: Machine;
beforeEach(() => chmodSync(pathOf(), 0o755));
afterEach(() => machine.remove());

type Trials = {
  readonly fault: string;
  readonly engine: Engine;
  readonly trials: number;
  readonly readyWithinMs: number;
};
/** Answers how long it took until the server was ready again. */
type Trial = (history: History, visitors: Visitors) => Promise<number>;

/** Visitors keep retrying, and the line is checked against every answer that they got. */
async function tryUnderVisitors(
  { fault, engine, trials, readyWithinMs }: Trials,
  trial: Trial,
): Promise<void> {
  machine = await createMachine(engine, pathOf());
  await machine.startDatabase();
  await machine.startServer();
  const history = openHistory();
  const visitors = startVisitors(machine.url, VISITORS, history);
  const readyMs: number[] = [];
  for (let number = 0; number < trials; number += 1) {
    await untilJoined(history, VISITORS);
    readyMs.push(await trial(history, visitors));
  }
  await concludeVisits({ machine, visitors, history, fault, readyMs, readyWithinMs });
}

function killAndStart(act: () => Promise<void>): Trial {
  const random = drawFromSeed();
  return async () => {
    await delay(random.between(0, 400));
    const since = performance.now();
    await act();
    await untilReady(machine.url);
    return performance.now() - since;
  };
}

/** Takes the database away until somebody was refused. */
const takeAway =
  (take: () => Promise<() => Promise<void>>): Trial =>
  async (history, visitors) => {
    const refusals = visitors.refusals();
    const giveBack = await take();
    while (visitors.refusals() === refusals) await delay(10);
    return await timeReturn(history, async () => {
      await giveBack();
      await untilReady(machine.url);
    });
  };

test.each(defaultEngine)(
  `a server on %s that is killed under load contradicts no answer (kills: ${SERVER_KILLS})`,
  async (engine) => {
    const trials = {
      fault: `Server killed, ${engine}`,
      engine,
      trials: SERVER_KILLS,
      readyWithinMs: READY_AFTER_KILL_MS,
    };
    const kill = async () => {
      await machine.killServer();
      await machine.startServer();
    };
    await tryUnderVisitors(trials, killAndStart(kill));
  },
);

describe('PostgreSQL', () => {
  const outages = (fault: string): Trials => ({
    fault,
    engine: 'postgres',
    trials: OUTAGES,
    readyWithinMs: READY_AFTER_OUTAGE_MS,
  });

  test.runIf(isLong)(
    `killed under load, loses and repeats no join (kills: ${DATABASE_KILLS})`,
    async () => {
      const trials = {
        ...outages('Database killed, postgres'),
        trials: DATABASE_KILLS,
        readyWithinMs: READY_AFTER_KILL_MS,
      };
      const kill = async () => {
        await machine.killDatabase();
        await machine.startDatabase();
      };
      await tryUnderVisitors(trials, killAndStart(kill));
    },
  );

  test.runIf(isAll)('frozen, joins go on by themselves once it runs again', async () => {
    const freeze = async () => {
      machine.freezeDatabase();
      await delay(AWAY_MS);
      return async () => machine.thawDatabase();
    };
    await tryUnderVisitors(outages('Database stands still for 10 s'), takeAway(freeze));
  });

  test.runIf(isLong)('without a connection left, joins go on by themselves later', async () => {
    const crowdOut = async () => {
      const others = await takeAllConnections(machine.databaseUrl ?? '');
      await delay(AWAY_MS / 2);
      return async () => void (await Promise.all(others.map((other) => other.end())));
    };
    await tryUnderVisitors(outages('No connection left in the database'), takeAway(crowdOut));
  });
});

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
