/**
 * Makes a database of made-up members with realistic referral trees: `node bench/generate.ts --members 1000000 --database-url ...`, or
 * `--data-dir ...` for the embedded one. Prints one line of JSON. Throws where there is a database already.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { brand } from '../brand/brand.ts';
import { createFilledDatabase } from '../server/db/create-filled.ts';
import { migrateWithin, readMigrations } from '../server/db/migrate.ts';
import { openDatabase } from '../server/db/open.ts';
import { fillLine } from './members/fill-line.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    'data-dir': { type: 'string' },
    'database-url': { type: 'string' },
  },
});
const { 'data-dir': dataDir, 'database-url': databaseUrl = null } = values;
if (dataDir === undefined) throw new Error('Say --data-dir.');
const [members, seed] = [Number(values.members), Number(values.seed)];

const startedAt = performance.now();
await createFilledDatabase({
  dataDir,
  databaseUrl,
  log: () => {},
  fill: async (session) => {
    await migrateWithin(session, readMigrations());
    await fillLine(session, { brand, members, seed });
  },
});
await vacuum(dataDir, databaseUrl);
console.log(JSON.stringify({ members, seed, seconds: (performance.now() - startedAt) / 1000 }));
process.exit(0);

/** What PostgreSQL does by itself within minutes: before, every read looks up whether the rows are there for everybody. */
async function vacuum(dataDir: string, databaseUrl: string | null): Promise<void> {
  if (databaseUrl !== null) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('vacuum (analyze)');
    return await client.end();
  }
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {}, asItIs: true });
  await database.runSql('vacuum (analyze)');
  await database.close();
}
