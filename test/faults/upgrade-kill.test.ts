/** A server that is killed while it brings an older database up to date leaves nothing that the next start cannot finish. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readMigrations } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { findGaps } from '../line/check-permutation.ts';
import { type DatabasePlace, engines } from '../support/engines.ts';
import { freePort, type ServerProcess, spawnServer, startServer } from '../support/server-process.ts';
import { recordFault } from './fault-record.ts';
import { joinOverHttp } from './join-load.ts';
import { createOldDatabase, readKept } from './old-database.ts';
import { readLine } from './read-line.ts';

const isFull = process.env.FAULTS === 'full';
const TRIALS = isFull ? 20 : 2;
const MEMBERS = isFull ? 5_000 : 300;
/** About that, on a machine with nothing else to do; the full form measures it. */
const WORK_MS = 2_500;
const SECRET_KEY = 'the same on all nodes, as it must be';

function settingsOf({ dataDir, databaseUrl }: Omit<DatabasePlace, 'remove'>): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    LIMITS: 'off',
    MAIL_RATE: '1',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl, SECRET_KEY }),
  };
}

/** How many migrations the database has. */
async function countApplied(place: DatabasePlace): Promise<number> {
  const database = await openDatabase({ ...place, log: () => {}, asItIs: true });
  const { rows } = await database.runSql('select from schema_migration');
  await database.close();
  return rows.length;
}

/** How long a start with the whole upgrade takes. */
async function measureStart(place: DatabasePlace): Promise<number> {
  const since = performance.now();
  const server = await startServer(settingsOf(place));
  const tookMs = performance.now() - since;
  await server.stop();
  await place.remove();
  return tookMs;
}

async function killAt(place: Omit<DatabasePlace, 'remove'>, moment: number): Promise<void> {
  const victim = spawnServer({ ...settingsOf(place), PORT: String(await freePort()) });
  const ended = once(victim, 'exit');
  await Promise.race([ended, delay(moment)]);
  victim.kill('SIGKILL');
  await ended;
}

type Hit = 'before' | 'between' | 'after';

/** Moments at random, closer and closer about the migrations: they are a small part of a start, whose length varies by more. */
function openAim(wholeMs: number) {
  let [from, to] = [0.3 * wholeMs, wholeMs];
  return {
    next: () => from + (to - from) * Math.random(),
    learn(moment: number, hit: Hit): void {
      if (hit === 'before') from = moment;
      if (hit === 'after') to = moment;
      const [middle, least] = [(from + to) / 2, wholeMs / 10];
      if (to - from < least) [from, to] = [middle - least / 2, middle + least / 2];
    },
  };
}

test.each(engines)(
  `an upgrade on %s that is killed half-way (trials: ${TRIALS}) is finished by the next start, with everybody in it`,
  async (engine) => {
    const old = await createOldDatabase(engine, MEMBERS);
    const wholeMs = isFull ? await measureStart(await old.copy()) : WORK_MS;
    const readyMs: number[] = [];
    const lost: string[] = [];
    const all = readMigrations().length;
    const cuts = { before: 0, between: 0, after: 0 };
    const aim = openAim(wholeMs);
    for (let trial = 1; trial <= TRIALS; trial += 1) {
      const place = await old.copy();
      // A second node of the same database, which migrates at the same time and is not killed.
      const otherDir = mkdtempSync(join(tmpdir(), 'waitlist-other-'));
      const isTogether = engine === 'postgres' && trial % 2 === 0;
      const other = isTogether ? startServer(settingsOf({ ...place, dataDir: otherDir })) : null;
      const moment = aim.next();
      await killAt(place, moment);
      const otherServer: ServerProcess | undefined = (await other) ?? undefined;
      const applied = await countApplied(place);
      const hit = applied === all ? 'after' : applied === 3 ? 'before' : 'between';
      cuts[hit] += 1;
      if (!isTogether) aim.learn(moment, hit);

      const since = performance.now();
      const server = await startServer(settingsOf(place));
      readyMs.push(performance.now() - since);
      expect((await joinOverHttp(server.url, 'late@example.com', null)).status).toBe(201);
      expect(await server.stop()).toBe(0);
      expect((await otherServer?.stop()) ?? 0).toBe(0);
      if ((await readKept(place)) !== old.kept) lost.push(`trial ${trial}`);
      const { line, differences } = await readLine(place);
      expect(differences, `trial ${trial}`).toEqual([]);
      expect(line).toHaveLength(MEMBERS + 1);
      expect(findGaps(line.map(({ position }) => position))).toEqual([]);
      await place.remove();
      rmSync(otherDir, { recursive: true, force: true });
    }
    await old.remove();
    if (isFull) console.log(`upgrade killed, ${engine}: ${JSON.stringify(cuts)} of ${all - 3} migrations`);
    recordFault({
      fault: `Upgrade killed half-way, ${engine}`,
      trials: TRIALS,
      acknowledged: MEMBERS * TRIALS,
      lost: lost.length,
      duplicated: 0,
      readyMs,
    });
    expect(lost).toEqual([]);
  },
);
