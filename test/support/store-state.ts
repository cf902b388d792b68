/** `node test/support/store-state.ts FOLDER`: makes a varied line and stores it there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { takeOfflineBackup } from '../../server/backup/offline-backup.ts';
import { openDatabase } from '../../server/db/open.ts';
import { readSchema } from '../../server/db/schema/read-schema.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { startOffers } from '../../server/drop/steps/start-offers.ts';
import { makeOffers } from '../../server/drop/steps/sweep-offers.ts';
import { selectMembers } from '../line/offer-steps.ts';
import { CODES_IN_ORDER, STATE_SECRET_KEY, writeState } from './stored-states.ts';
import { seedVariedLine } from './varied-line.ts';

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('Give the folder to store the line in.');
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-state-'));
const place = { dataDir, databaseUrl: null, secretKey: STATE_SECRET_KEY };
try {
  const database = await openDatabase({ ...place, log: console.log });
  const members = await seedVariedLine({ ...place, database, close: async () => {} });
  await database.runSql(`insert into credit_case (member_id, decided_at, decided_by)
    select id, now(), 'operator' from member where credit in ('held', 'refused')`);
  await selectMembers(
    database,
    members.map(({ id }) => id),
    [],
  );
  await inTransaction(database, async (transaction) => {
    await startOffers(transaction, { minutes: 720, time_zone: 'UTC' });
    await makeOffers(transaction);
  });
  const { rows } = await database.runSql<{ code: string }>(CODES_IN_ORDER);
  await database.close();
  writeState(folder, {
    dataDir,
    backup: await buffer(await takeOfflineBackup(place)),
    codes: rows.map(({ code }) => code),
    schema: readSchema(),
  });
} finally {
  rmSync(dataDir, { recursive: true });
}
