/**
 * A process that writes numbers to the embedded database in the data folder of its first argument,
 * and prints each after its commit. With `fail-sync` as the second argument fsync fails after
 * three.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sql } from 'kysely';

let isFailing = false;
let syncs = 0;
const realSync = fs.fsyncSync;
fs.fsyncSync = (descriptor) => {
  if (isFailing) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  syncs += 1;
  realSync(descriptor);
};
syncBuiltinESMExports();

const { openDatabase } = await import('../../server/db/open.ts');
const [, , dataDir = '', mode] = process.argv;
const { kysely } = await openDatabase({ dataDir, databaseUrl: null, log: () => {} });
await sql`create table if not exists written (number bigint not null)`.execute(kysely);
for (let number = 1; ; number += 1) {
  isFailing = mode === 'fail-sync' && number > 3;
  const syncsBefore = syncs;
  await sql`insert into written values (${number})`.execute(kysely);
  fs.writeSync(1, `${number} ${syncs - syncsBefore}\n`);
}
