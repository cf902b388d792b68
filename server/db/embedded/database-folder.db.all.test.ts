/** The folder of the embedded database: created, copied, and damaged. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace } from '../../../test/support/engines.ts';
import { StartupError } from '../../startup-error.ts';
import { openDatabase } from '../open.ts';

const CONTROL = 'global/pg_control';
const ZEROS = Buffer.alloc(8192);
let place: DatabasePlace;

beforeEach(async () => {
  place = await createMigratedPlace('embedded');
});
afterEach(() => place.remove());

function empty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) writeFileSync(join(folder, entry.name), '');
}

/** Tables of the line have higher numbers than those of the engine. */
function overwrite(folder: string): void {
  const names = readdirSync(folder).filter((name) => Number(name) > 16_384);
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) writeFileSync(join(folder, name), Buffer.alloc(8192, 0xff));
}

const isDamaged = (databaseDir: string) =>
  new StartupError(
    `The database in ${databaseDir} is damaged: put it aside with mv "${databaseDir}" ` +
      `"${databaseDir}.damaged", and bring back the newest backup with ./waitlist restore FILE.`,
  );

describe('the embedded database', () => {
  test('is created in a folder open to its owner alone, whatever a crash left there', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'waitlist-new-'));
    const dataDir = join(parent, 'a folder', 'data');
    cpSync(join(place.dataDir, 'database', 'base'), join(dataDir, 'database.unfinished-1'), {
      recursive: true,
    });
    chmodSync(dataDir, 0o700);
    const lines: string[] = [];
    const database = await openDatabase({
      dataDir,
      databaseUrl: null,
      log: (line) => lines.push(line),
    });
    await database.ping();
    await database.close();
    expect(lines).toEqual(['Creating the database, once; this takes a few seconds.']);
    expect(statSync(join(dataDir, 'database')).mode & 0o777).toBe(0o700);
    rmSync(parent, { recursive: true });
  });

  test.each([
    ['control file is zeros', (dir: string) => writeFileSync(join(dir, CONTROL), ZEROS)],
    ['control file is gone', (dir: string) => rmSync(join(dir, CONTROL))],
    ['log is emptied', (dir: string) => empty(join(dir, 'pg_wal'))],
    ['version is gone', (dir: string) => rmSync(join(dir, 'PG_VERSION'))],
    ['tables are overwritten', (dir: string) => overwrite(join(dir, 'base/5'))],
    ['folder is empty', (dir: string) => [rmSync(dir, { recursive: true }), mkdirSync(dir)]],
  ])('is refused in one sentence, and not replaced, when its %s', async (_, damage) => {
    const databaseDir = join(place.dataDir, 'database');
    damage(databaseDir);
    const list = () => readdirSync(databaseDir).filter((name) => name !== 'postmaster.pid');
    const before = list();
    await expect(openDatabase({ ...place, log: () => {} })).rejects.toThrow(isDamaged(databaseDir));
    expect(list()).toEqual(before);
  });

  test('says the same in a query, where the start does not read the damaged table', async () => {
    const databaseDir = join(place.dataDir, 'database');
    const open = () => openDatabase({ ...place, log: () => {}, skipMigrations: true });
    const whole = await open();
    const { rows } = await whole.runSql<{ path: string }>(
      `select pg_relation_filepath('member') as path`,
    );
    await whole.close();
    writeFileSync(join(databaseDir, rows[0]?.path ?? ''), Buffer.alloc(8192, 0xff));
    const database = await open();
    const { kysely, runSql } = database;
    await expect(runSql('select from member')).rejects.toThrow(isDamaged(databaseDir));
    const member = kysely.selectFrom('member').select('id').execute();
    await expect(member).rejects.toThrow(isDamaged(databaseDir));
    await database.ping();
    await database.close();
  });
});
