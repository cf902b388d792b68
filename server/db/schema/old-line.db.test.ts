import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { describe, expect, inject, test } from 'vitest';
import { listOldLines, readOldLine } from '../../../test/support/before-baseline.ts';
import { dumpDatabase } from '../../../test/support/dump-database.ts';
import { type Engine, engines } from '../../../test/support/engines.ts';
import { type Place, providePlaces } from '../../../test/support/provide-places.ts';
import { readState, STATE_SECRET_KEY } from '../../../test/support/stored-states.ts';
import { isAll } from '../../../test/support/test-form.ts';
import { withClient } from '../../../test/support/with-client.ts';
import { takeOfflineBackup } from '../../backup/offline-backup.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { openDatabase } from '../open.ts';
import { assertCurrent } from './migrate.ts';

const WAY_OUT =
  'start it with its own program, write the members to a file \\(npm run waitlist -- export ' +
  '--format csv --output members\\.csv\\), and import that into a new line .*\\.$';
const REFUSAL = new RegExp(
  `^The database has a line from before the first release of this program: ${WAY_OUT}`,
);

const { pathOf, createEmptyPlace } = providePlaces();

/** A place on which the program has run. */
async function createOldPlace(engine: Engine, sql: string): Promise<Place> {
  const place = await createEmptyPlace(engine);
  if (place.databaseUrl !== null) {
    await withClient(place.databaseUrl, (client) => client.query(sql));
    return place;
  }
  mkdirSync(place.dataDir, { mode: 0o700 });
  cpSync(inject('createdDatabase'), join(place.dataDir, 'database'), { recursive: true });
  const pglite = await PGlite.create({ fs: new NodeFS(join(place.dataDir, 'database')) });
  await pglite.exec(sql);
  await pglite.close();
  return place;
}

async function expectRefused(place: Place, refusal: RegExp): Promise<void> {
  const asItIs = { ...place, log: () => {}, skipMigrations: true };
  async function readAll(): Promise<string> {
    const database = await openDatabase(asItIs);
    const { text } = await dumpDatabase(database);
    await database.close();
    return text;
  }
  const before = await readAll();
  expect(before).toContain('public.member {');
  const files = readdirSync(place.dataDir);
  for (const isServer of [true, false])
    await expect(openDatabase({ ...place, isServer, log: () => {} })).rejects.toThrow(refusal);
  const database = await openDatabase(asItIs);
  await expect(assertCurrent(database.runSql)).rejects.toThrow(refusal);
  await database.close();
  expect(await readAll()).toBe(before);
  expect(readdirSync(place.dataDir).filter((name) => name !== 'lock')).toEqual(
    files.filter((name) => name !== 'lock'),
  );
}

const lines = listOldLines();

describe.each(isAll ? lines : lines.slice(0, 1))('a line of %s', (commit) => {
  const old = readOldLine(commit);

  test.each(engines)(
    'is refused on %s with the way that is left, and stays as it is',
    async (engine) => expectRefused(await createOldPlace(engine, old.sql), REFUSAL),
  );

  test('is refused as a backup', async () => {
    const target = { dataDir: pathOf('target'), databaseUrl: null, secretKey: null };
    await expect(restoreBackup(target, { path: old.backup, log: () => {} })).rejects.toThrow(
      /line\.backup is a backup from before the first release .*: restore it and start it with its/,
    );
    expect(readdirSync(pathOf())).toEqual([]);
  });
});

test('a line of the first programs is backed up by their own alone', async () => {
  const place = await createOldPlace('postgres', readOldLine('7fc50d6c').sql);
  const bytes = await takeOfflineBackup({ ...place, secretKey: 's'.repeat(43) });
  await expect(bytes.next()).rejects.toThrow(REFUSAL);
});

const RULES = ['skip', 'fade'];

describe.each(isAll ? RULES : RULES.slice(0, 1))('a line by the rule "%s"', (rule) => {
  const refusal = new RegExp(
    `^The line is ordered by the rule "${rule}", which this program does not have: ${WAY_OUT}`,
  );

  test.each(engines)(
    'is refused on %s with the way that is left, and stays as it is, and so is its backup',
    async (engine) => {
      const state = readState('0042-till-accounts');
      const place = { ...(await createEmptyPlace(engine)), secretKey: STATE_SECRET_KEY };
      await restoreBackup(place, { path: state.backup, log: () => {}, schema: state.schema });
      const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
      await database.runSql('update line_state set rule = $1', [rule]);
      await database.close();
      await expectRefused(place, refusal);

      const path = pathOf('line.backup');
      await writeFile(path, await takeOfflineBackup(place), { mode: 0o600 });
      const target = { ...place, dataDir: pathOf('target'), databaseUrl: null };
      await expect(restoreBackup(target, { path, log: () => {} })).rejects.toThrow(refusal);
      expect(readdirSync(target.dataDir).filter((name) => name !== 'lock')).toEqual([]);
    },
  );
});
