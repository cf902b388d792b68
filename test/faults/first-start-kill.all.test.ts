/** A server that is killed while it creates its database does not prevent the next start. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { drawFromSeed } from '../support/draw-from-seed.ts';
import {
  createEmptyPostgresDatabase,
  type DatabasePlace,
  defaultEngine,
  type Engine,
} from '../support/engines.ts';
import { freePort, spawnServer, startServer } from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { withClient } from '../support/with-client.ts';
import { settingsOf } from './backup-commands.ts';
import { recordFault } from './fault-record.ts';
import { joinOverHttp } from './join-load.ts';
import { readLine } from './read-line.ts';

const TRIALS = isLong ? 20 : 1;
/** Longer than it takes on an idle machine. */
const WORK_MS = { embedded: 4_000, postgres: 500 };

let place: DatabasePlace | undefined;
afterEach(async () => place?.remove());

async function createEmptyPlace(engine: Engine): Promise<DatabasePlace> {
  if (engine === 'postgres') return createEmptyPostgresDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-first-'));
  return { dataDir, databaseUrl: null, remove: async () => rmSync(dataDir, { recursive: true }) };
}

/** Resolves when the work on the database begins. */
async function untilBegun({ dataDir, databaseUrl }: DatabasePlace): Promise<void> {
  if (databaseUrl === null) {
    while (!existsSync(dataDir) || readdirSync(dataDir).length === 0) await delay(5);
    return;
  }
  await withClient(databaseUrl, async (client) => {
    const others = `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'`;
    while ((await client.query(others)).rows.length === 0) await delay(5);
  });
}

test.each(defaultEngine)(
  `a first start on %s that is killed half-way (trials: ${TRIALS}) is completed by the next one`,
  async (engine) => {
    const random = drawFromSeed();
    const readyMs: number[] = [];
    for (let trial = 1; trial <= TRIALS; trial += 1) {
      place = await createEmptyPlace(engine);
      const settings = settingsOf(place);
      const killed = spawnServer({ ...settings, PORT: String(await freePort()) });
      const ended = once(killed, 'exit');
      await untilBegun(place);
      await Promise.race([ended, delay(random.between(0, WORK_MS[engine]))]);
      killed.kill('SIGKILL');
      await ended;

      const since = performance.now();
      const server = await startServer(settings);
      readyMs.push(performance.now() - since);
      expect(
        (await joinOverHttp(server.url, 'first@example.com', null)).status,
        `trial ${trial}`,
      ).toBe(201);
      expect(await server.stop()).toBe(0);
      const { line, differences } = await readLine(place);
      expect([line.length, differences]).toEqual([1, []]);
      await place.remove();
      place = undefined;
    }
    recordFault({
      fault: `First start killed half-way, ${engine}`,
      trials: TRIALS,
      acknowledged: TRIALS,
      readyMs,
    });
  },
);
