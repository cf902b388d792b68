/** `--members 1000000 --data-dir FOLDER [--database-url URL]`. Throws if a database exists. */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { brand } from '../brand/brand.ts';
import { createRestoredDatabase } from '../server/db/create-restored.ts';
import { openDatabase } from '../server/db/open.ts';
import { migrateWithin } from '../server/db/schema/migrate.ts';
import { readSchema } from '../server/db/schema/read-schema.ts';
import { fillLine } from './members/fill-line.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '10000' },
    'data-dir': { type: 'string' },
    'database-url': { type: 'string' },
  },
});
const { 'data-dir': dataDir, 'database-url': databaseUrl = null } = values;
if (dataDir === undefined) throw new Error('--data-dir is missing.');
const members = Number(values.members);

await createRestoredDatabase({
  dataDir,
  databaseUrl,
  log: () => {},
  fill: async (runSql) => {
    await migrateWithin(runSql, readSchema());
    await fillLine(runSql, { brand, members, seed: 1 });
  },
});
await vacuum(dataDir, databaseUrl);
process.exit(0);

/** Autovacuum takes minutes, and until then every read checks the visibility of its rows. */
async function vacuum(dataDir: string, databaseUrl: string | null): Promise<void> {
  if (databaseUrl !== null) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('vacuum (analyze)');
    return await client.end();
  }
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {} });
  await database.runSql('vacuum (analyze)');
  await database.close();
}
