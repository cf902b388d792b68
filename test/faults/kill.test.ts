import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { openDatabase } from '../../server/db/open.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';
import { createMigratedPlace, engines } from '../support/engines.ts';
import { startServer } from '../support/server-process.ts';
import { startJoinLoad, statusOverHttp } from './join-load.ts';

const KILLS = 10;
const VISITORS = 16;

describe.each(engines)('a server on %s that is killed', (engine) => {
  const place = createMigratedPlace(engine);
  afterEach(async () => (await place).remove());

  test(`${KILLS} times under load keeps every acknowledged join and an exact line`, async () => {
    const { dataDir, databaseUrl } = await place;
    const settings = {
      DATA_DIR: dataDir,
      LIMITS: 'off',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    };
    const acknowledged = new Map<string, string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await startServer(settings);
      const load = startJoinLoad([server.url], VISITORS);
      while (load.acknowledged.length < VISITORS) await delay(10);
      await delay(Math.random() * 400);
      await server.kill();
      await load.stop();
      for (const { id, email } of load.acknowledged) acknowledged.set(id, email);
    }

    const survivor = await startServer(settings);
    const lost: string[] = [];
    for (const [id, email] of acknowledged) {
      if ((await statusOverHttp(survivor.url, id))?.email !== email) lost.push(id);
    }
    expect(await survivor.stop()).toBe(0);
    expect(lost).toEqual([]);

    const database = await openDatabase({ dataDir, databaseUrl, log: () => {} });
    const { members, differences } = await verifyLine(database, brand);
    await database.close();
    expect(differences).toEqual([]);
    expect(members).toBeGreaterThanOrEqual(acknowledged.size);
  });
});
