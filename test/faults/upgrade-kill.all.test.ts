/**
 * A server that is killed while it upgrades a database leaves nothing that the next start cannot
 * finish.
 */
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import type { SeededRandom } from '../../brand/art/seeded-random.ts';
import { apiPaths, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import { openDatabase } from '../../server/db/open.ts';
import { readSchema } from '../../server/db/schema/read-schema.ts';
import { findGaps } from '../line/check-permutation.ts';
import { drawFromSeed } from '../support/draw-from-seed.ts';
import {
  createMigratedPlace,
  type DatabasePlace,
  defaultEngine,
  type Engine,
} from '../support/engines.ts';
import { createNewerProgram } from '../support/newer-program.ts';
import { createDatabase, dropDatabase } from '../support/postgres-databases.ts';
import { seedLine } from '../support/seed-line.ts';
import {
  freePort,
  runServerToItsEnd,
  type ServerProcess,
  spawnServer,
  startServer,
} from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { recordFault } from './fault-record.ts';
import { joinOverHttp } from './join-load.ts';
import { readLine } from './read-line.ts';

const TRIALS = isLong ? 20 : 1;
const MEMBERS = isLong ? 5_000 : 100;
/** Approximately, on an idle machine; the long form measures it. */
const WORK_MS = 2_500;
const SECRET_KEY = 'the same on all nodes, as it must be';

function settingsOf({
  dataDir,
  databaseUrl,
}: Omit<DatabasePlace, 'remove'>): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    LIMITS: 'off',
    MAIL_RATE: '1',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl, SECRET_KEY }),
  };
}

/** Whether the upgrade happened; throws if only part of it did. */
async function isUpgraded(place: DatabasePlace): Promise<boolean> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  const { rows } = await database.runSql(`
    select (select count(*)::integer from schema_change) as changes,
      (select version from schema_functions) as version,
      (select count(*)::integer from pg_proc where proname = 'note_nickname') as functions,
      (select count(*)::integer from pg_trigger
       where tgname in ('member_nickname_noted', 'standing_added')) as triggers,
      to_regclass('nickname_seen') is not null as "hasTable"`);
  await database.close();
  const [state] = rows;
  const { changes, functions } = readSchema();
  const before = { version: functions.version, functions: 0, triggers: 1, hasTable: false };
  const after = { version: functions.version + 1, functions: 1, triggers: 2, hasTable: true };
  expect([
    { ...before, changes: changes.length },
    { ...after, changes: changes.length + 1 },
  ]).toContainEqual(state);
  return (state as typeof before).version === after.version;
}

/** How long a start with the whole upgrade takes. */
async function measureStart(place: DatabasePlace, main: string): Promise<number> {
  const since = performance.now();
  const server = await startServer(settingsOf(place), main);
  const tookMs = performance.now() - since;
  await server.stop();
  await place.remove();
  return tookMs;
}

async function killAt(
  place: Omit<DatabasePlace, 'remove'>,
  main: string,
  moment: number,
): Promise<void> {
  const victim = spawnServer({ ...settingsOf(place), PORT: String(await freePort()) }, main);
  const ended = once(victim, 'exit');
  await Promise.race([ended, delay(moment)]);
  victim.kill('SIGKILL');
  await ended;
}

type Hit = 'before' | 'after';

/**
 * Random moments, closer and closer to the upgrade, which is a small part of a start of varying
 * length.
 */
function openAim(wholeMs: number, random: SeededRandom) {
  let [from, to] = [0.3 * wholeMs, wholeMs];
  return {
    next: () => random.between(from, to),
    learn(moment: number, hit: Hit): void {
      if (hit === 'before') from = moment;
      if (hit === 'after') to = moment;
      const [middle, least] = [(from + to) / 2, wholeMs / 10];
      if (to - from < least) [from, to] = [middle - least / 2, middle + least / 2];
    },
  };
}

async function retryFirstJoin(url: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`${url}${apiPaths.join}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [IDEMPOTENCY_KEY_HEADER]: FIRST_KEY,
    },
    body: JSON.stringify({ email: 'seed0@example.com', referred_by: null }),
  });
  return { status: response.status, body: await response.text() };
}

test.each(defaultEngine)(
  `the next start on %s finishes a killed upgrade, and refuses the old program (trials: ${TRIALS})`,
  async (engine) => {
    const newer = createNewerProgram();
    const old = await createOldDatabase(engine, MEMBERS);
    const wholeMs = isLong ? await measureStart(await old.copy(), newer.main) : WORK_MS;
    const readyMs: number[] = [];
    const lost: string[] = [];
    const cuts = { before: 0, after: 0 };
    const aim = openAim(wholeMs, drawFromSeed());
    for (let trial = 1; trial <= TRIALS; trial += 1) {
      const place = await old.copy();
      // A second node of the same database, which migrates at the same time and is not killed.
      const otherDir = mkdtempSync(join(tmpdir(), 'waitlist-other-'));
      const isTogether = engine === 'postgres' && trial % 2 === 0;
      const other = isTogether
        ? startServer(settingsOf({ ...place, dataDir: otherDir }), newer.main)
        : null;
      const moment = aim.next();
      await killAt(place, newer.main, moment);
      const otherServer: ServerProcess | undefined = (await other) ?? undefined;
      const hit: Hit = (await isUpgraded(place)) ? 'after' : 'before';
      cuts[hit] += 1;
      if (!isTogether) aim.learn(moment, hit);

      const since = performance.now();
      const server = await startServer(settingsOf(place), newer.main);
      readyMs.push(performance.now() - since);
      expect((await joinOverHttp(server.url, 'late@example.com', null)).status).toBe(201);
      const retry = await retryFirstJoin(server.url);
      expect(retry).toEqual({ status: 201, body: old.firstBody });
      expect(await server.stop()).toBe(0);
      expect((await otherServer?.stop()) ?? 0).toBe(0);
      if ((await readKept(place)) !== old.kept) lost.push(`trial ${trial}`);
      const { line, differences } = await readLine(place);
      expect(differences, `trial ${trial}`).toEqual([]);
      expect(line).toHaveLength(MEMBERS + 1);
      expect(findGaps(line.map(({ position }) => position))).toEqual([]);
      const backups = readdirSync(place.dataDir).filter((name) => name.startsWith('before-up'));
      if (!isTogether) expect(backups).toEqual(['before-upgrade.backup']);
      const refused = await runServerToItsEnd(settingsOf(place));
      expect(refused.exitCode).toBe(1);
      expect(refused.output).toContain('The database is newer than this program');
      await place.remove();
      rmSync(otherDir, { recursive: true, force: true });
    }
    await old.remove();
    newer.remove();
    if (isLong) console.log(`upgrade killed, ${engine}: ${JSON.stringify(cuts)}`);
    recordFault({
      fault: `Upgrade killed half-way, ${engine}`,
      trials: TRIALS,
      acknowledged: MEMBERS * TRIALS,
      lost: lost.length,
      readyMs,
    });
    expect(lost).toEqual([]);
  },
);

/** What an upgrade must leave as it is. */
const KEPT = `
  select id, sequence, joined_at, join_position, key_hash, request_hash, referrer_id, is_invited,
    credit, email, email_identity, referral_code, sort_key, referral_count
  from member join standing on standing.member_id = member.id
  where email like 'seed%' order by id`;

/** The idempotency key of the first member's join. */
const FIRST_KEY = 'key0';

async function createOldDatabase(engine: Engine, members: number) {
  const place = await createMigratedPlace(engine);
  const firstBody = await seedLine(place, members, { firstKey: FIRST_KEY });
  return {
    kept: await readKept(place),
    /** The answer to the first member's join, which its retry must get again. */
    firstBody,
    /** A copy of its own for a test. */
    async copy(): Promise<DatabasePlace> {
      const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-old-'));
      const remove = async () => rmSync(dataDir, { recursive: true });
      if (place.databaseUrl === null) {
        cpSync(place.dataDir, dataDir, { recursive: true });
        return { dataDir, databaseUrl: null, remove };
      }
      const serverUrl = inject('postgresUrl');
      const { name, url } = await createDatabase(
        serverUrl,
        new URL(place.databaseUrl).pathname.slice(1),
      );
      return {
        dataDir,
        databaseUrl: url,
        async remove() {
          await dropDatabase(serverUrl, name);
          await remove();
        },
      };
    },
    remove: () => place.remove(),
  };
}

/** Every member of the old database, as text. */
async function readKept(place: Omit<DatabasePlace, 'remove'>): Promise<string> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  try {
    const { rows } = await database.runSql(`select kept::text as row from (${KEPT}) kept`);
    return (rows as { row: string }[]).map(({ row }) => row).join('\n');
  } finally {
    await database.close();
  }
}
