import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { listOldLines, readOldLine } from '../../../test/support/before-baseline.ts';
import { dumpDatabase } from '../../../test/support/dump-database.ts';
import {
  createEmptyPostgresDatabase,
  type Engine,
  engines,
} from '../../../test/support/engines.ts';
import { isAll } from '../../../test/support/test-form.ts';
import { takeOfflineBackup } from '../../backup/offline-backup.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { openDatabase } from '../open.ts';
import { assertCurrent } from './migrate.ts';

const REFUSAL = new RegExp(
  '^The database has a line from before the first release of this program: start it with its own ' +
    'program, write the members to a file \\(npm run waitlist -- export --format csv ' +
    '--output members\\.csv\\), and import that into a new line .*\\.$',
);

let folder: string;
let removals: (() => Promise<void>)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-old-line-'));
  removals = [];
});
afterEach(async () => {
  for (const remove of removals) await remove();
  rmSync(folder, { recursive: true });
});

/** A place on which the program has run. */
async function createPlace(engine: Engine, sql: string) {
  if (engine === 'postgres') {
    const { remove, ...place } = await createEmptyPostgresDatabase();
    removals.push(remove);
    const client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
    await client.query(sql);
    await client.end();
    return place;
  }
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  cpSync(inject('createdDatabase'), join(dataDir, 'database'), { recursive: true });
  const pglite = await PGlite.create({ fs: new NodeFS(join(dataDir, 'database')) });
  await pglite.exec(sql);
  await pglite.close();
  return { dataDir, databaseUrl: null };
}

const lines = listOldLines();

describe.each(isAll ? lines : lines.slice(0, 1))('a line of %s', (commit) => {
  const old = readOldLine(commit);

  test.each(engines)(
    'is refused on %s with the way that is left, and stays as it is',
    async (engine) => {
      const place = await createPlace(engine, old.sql);
      const asItIs = { ...place, log: () => {}, skipMigrations: true };
      async function readAll(): Promise<string> {
        const database = await openDatabase(asItIs);
        const { text } = await dumpDatabase(database);
        await database.close();
        return text;
      }
      const before = await readAll();
      expect(before).toContain('@example.com');
      const files = readdirSync(place.dataDir);
      for (const isServer of [true, false])
        await expect(openDatabase({ ...place, isServer, log: () => {} })).rejects.toThrow(REFUSAL);
      const database = await openDatabase(asItIs);
      await expect(assertCurrent(database.runSql)).rejects.toThrow(REFUSAL);
      await database.close();
      expect(await readAll()).toBe(before);
      expect(readdirSync(place.dataDir).filter((name) => name !== 'lock')).toEqual(
        files.filter((name) => name !== 'lock'),
      );
    },
  );

  test('is refused as a backup', async () => {
    const target = { dataDir: join(folder, 'target'), databaseUrl: null, secretKey: null };
    await expect(restoreBackup(target, { path: old.backup, log: () => {} })).rejects.toThrow(
      /line\.backup is a backup from before the first release .*: restore it and start it with its/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('a line of the first programs is backed up by their own alone', async () => {
  const place = await createPlace('postgres', readOldLine('7fc50d6c').sql);
  const bytes = await takeOfflineBackup({ ...place, secretKey: 's'.repeat(43) });
  await expect(bytes.next()).rejects.toThrow(REFUSAL);
});
