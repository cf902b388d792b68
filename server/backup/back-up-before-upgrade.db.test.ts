import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Engine, oneEngine } from '../../test/support/engines.ts';
import { type Place, providePlaces } from '../../test/support/provide-places.ts';
import {
  CODES_IN_ORDER,
  listStates,
  readState,
  STATE_SECRET_KEY,
} from '../../test/support/stored-states.ts';
import { withClient } from '../../test/support/with-client.ts';
import { openDatabase } from '../db/open.ts';
import { readSchema } from '../db/schema/read-schema.ts';
import { backUpBeforeUpgrade } from './back-up-before-upgrade.ts';
import { readBackupLines } from './backup-file.ts';
import { readBackupCounts, restoreBackup } from './restore-backup.ts';

const STATE = listStates().at(-1) ?? '';
const state = readState(STATE);
const secretKey = STATE_SECRET_KEY;

const { pathOf, createEmptyPlace } = providePlaces();

/** A line of the program before this one. */
async function createOldPlace(engine: Engine): Promise<Place> {
  const place = await createEmptyPlace(engine);
  if (engine === 'embedded') state.unpack(place.dataDir);
  else await goBack(place, state.backup);
  return place;
}

/** Restores as the program before this one does. */
async function goBack(place: Place, path: string): Promise<void> {
  const options = { path, log: () => {}, schema: state.schema };
  await restoreBackup({ ...place, secretKey }, options);
}

/** Starts this program on the line. Returns what it said. */
async function start(place: Place, dataDir = place.dataDir): Promise<string[]> {
  const said: string[] = [];
  const database = await openDatabase({
    ...place,
    log: (line) => said.push(line),
    backUp: (opened) => backUpBeforeUpgrade({ dataDir, secretKey }, opened),
  });
  await database.close();
  return said;
}

/** Less than a backup takes: some providers have a limit. */
const limitIdleTransactions = (databaseUrl: string) =>
  withClient(databaseUrl, (client) => {
    const name = new URL(databaseUrl).pathname.slice(1);
    return client.query(
      `alter database "${name}" set idle_in_transaction_session_timeout = '20ms'`,
    );
  });

async function readCodes(place: Place): Promise<string[]> {
  const settings = { ...place, log: () => {}, skipMigrations: true };
  const database = await openDatabase(settings);
  const { rows } = await database.runSql<{ code: string }>(CODES_IN_ORDER);
  await database.close();
  return rows.map(({ code }) => code);
}

test.each(oneEngine)(
  'an upgrade on %s says what it did, and keeps a backup that the program before restores',
  async (engine) => {
    const place = await createOldPlace(engine);
    const path = join(place.dataDir, 'before-upgrade.backup');
    for (const name of [path, `${path}.unfinished`]) writeFileSync(name, 'of an earlier start');
    if (place.databaseUrl !== null) await limitIdleTransactions(place.databaseUrl);
    const said = await start(place);
    expect(readdirSync(place.dataDir)).not.toContain('before-upgrade.backup.unfinished');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { changes, functions } = readSchema();
    const { takenAt } = await readBackupCounts(path);
    const { version } = state.schema.functions;
    expect(said).toEqual([
      'Backing up the database before it is upgraded.',
      expect.stringMatching(
        `^Brought the database from ${STATE} \\(functions ${version}\\) to ` +
          `${changes.at(-1)?.name} \\(functions ${functions.version}\\); ` +
          `going back needs the backup of ${takenAt}, ${path}, ` +
          'and the keys of a shop entered again\\.$',
      ),
    ]);
    expect(await start(place)).toEqual([]);
    const back = await createEmptyPlace(engine, 'back');
    await goBack(back, path);
    expect(await readCodes(back)).toEqual(state.codes);
  },
);

test('keys of a shop stay out of it, also where they stood in an older line', async () => {
  const keys = 'sealed-keys-of-a-shop';
  const place = await createEmptyPlace('embedded');
  readState('0041-one-mask-one-way').unpack(place.dataDir);
  const old = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  await old.runSql('delete from till');
  await old.runSql(
    `insert into till (kind, settings, keys) values ('stripe', '{"cents": 99}', $1)`,
    [keys],
  );
  await old.close();
  await start(place);
  const lines: string[] = [];
  for await (const { word, json } of readBackupLines(join(place.dataDir, 'before-upgrade.backup')))
    lines.push(`${word} ${json}`);
  expect(lines.find((line) => line.startsWith('till '))).toContain('"cents": 99');
  expect(lines.join()).not.toContain(keys);
});

test('without its backup PostgreSQL is upgraded and the start says so', async () => {
  const place = await createOldPlace('postgres');
  const file = pathOf('a file');
  writeFileSync(file, '');
  const [, brought = ''] = await start(place, file);
  expect(brought).toContain('; going back needs a backup from before that (');
  expect(brought).toMatch(/before-upgrade\S+ could not be written: it is not a folder\)\.$/);
  expect(await start(place)).toEqual([]);
});

test('without its backup the embedded database is not upgraded', async () => {
  const place = await createOldPlace('embedded');
  const file = pathOf('a file');
  writeFileSync(file, '');
  await expect(start(place, file)).rejects.toThrow(
    /^This program has to change the database, .* it is not a folder\. Nothing was changed\.$/,
  );
  expect(await start(place)).toHaveLength(2);
});
