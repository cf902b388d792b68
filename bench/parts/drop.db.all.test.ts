/** The short form of `npm run bench -- --only drop-crowd`, which judges no times. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { confirmEverybody } from '../../test/support/confirm-everybody.ts';
import { createMigratedPlace } from '../../test/support/engines.ts';
import { seedLine } from '../../test/support/seed-line.ts';
import { startServer } from '../../test/support/server-process.ts';
import { openOperator } from '../load/operator.ts';
import { CROWD_SETTINGS, prepareDrop, runCrowd } from './drop.ts';

const CROWD = 300;
const MASKS = { Small: 4, Medium: 3, Large: 3 };

test('300 members accept at once on two servers: ten get a mask, each one code', async () => {
  const place = await createMigratedPlace('postgres');
  await seedLine(place, CROWD);
  const servers = await Promise.all(
    ['one', 'two'].map((name) =>
      startServer({
        ...CROWD_SETTINGS,
        DATA_DIR: join(place.dataDir, name),
        DATABASE_URL: place.databaseUrl ?? '',
        LOG_LEVEL: 'error',
      }),
    ),
  );
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  const operator = openOperator(join(place.dataDir, 'one'));
  await confirmEverybody(database);
  const wanted = { first: CROWD, domains: ['example.com'] };
  await prepareDrop(database, operator, { wanted, masks: MASKS });
  const { problems, accepted, replies } = await runCrowd({
    database,
    urls: servers.map(({ url }) => url),
    connections: 100,
    ending: 3,
  });
  expect(problems).toEqual([]);
  expect(accepted).toBe(10);
  const byKind = Map.groupBy(replies, ({ kind }) => kind);
  const sent = Array.from(byKind, ([kind, own]) => [kind, own.length]);
  const planned = { holder: 7, ending: 3, again: 7, none: 290, forged: 6 };
  expect(Object.fromEntries(sent)).toEqual(planned);
  await database.close();
  for (const server of servers) expect(await server.stop()).toBe(0);
  await place.remove();
});
